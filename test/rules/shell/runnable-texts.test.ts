import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

function judge(command: string, allow: string) {
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/home/ann/repo', home: '/home/ann' })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const rules = { project: { allow: [allow], deny: ['Bash(touch:*)'] } }
  return decide(action, { mode: 'default', rules, bounds, directories: ['/home/ann/repo'] }).behavior
}

/** Programs that pass their arguments, or the value of an option, to a command. */
const runners = [
  'npm run env -- %',
  'npm run-script env -- %',
  'npm --prefix web run env -- %',
  'npm run env -- env %',
  'npm create x -- %',
  'node --run env -- %',
  'pnpm %',
  'pnpm --filter web exec %',
  'yarn workspace web exec %',
  'yarn node -e \'spawnSync("touch",["pwned"])\'',
  'bun run %',
  'bundle e %',
  'hatch env run -- %',
  'composer global exec %',
  'cargo run -- %',
  'cargo +nightly nextest run -- %',
  'cargo xtask %',
  'go run x.go %',
  'go tool %',
  'go test -exec touch ./...',
  "go build -toolexec 'touch pwned' .",
  'go vet -vettool=touch pwned',
  'make SHELL=touch all',
  "make CC='touch pwned' all",
  'mvn exec:exec -Dexec.executable=touch -Dexec.args=pwned',
  'cmake -E env %',
  'rustc -C linker=touch x.rs',
  'gcc -wrapper touch,pwned a.c',
  'bazel run --run_under=touch //x',
  'flatpak run --command=touch x pwned',
  'elixir -e \'System.cmd("touch",["pwned"])\'',
  'mongosh --eval \'run("touch","pwned")\'',
  "gs -c '(%pipe%touch pwned) (w) file'",
  "gh alias set z '!touch pwned'",
  'gh extension exec x %',
  "less '+!touch pwned' a.txt",
  "man -P 'touch pwned' ls",
  'wget --use-askpass=touch https://example.com',
  'snap run --shell x -c %',
  "git send-email --sendmail-cmd='touch pwned'",
  'git z %',
  'gtouch pwned',
  'gtimeout 5 %',
  'genv %',
]

test.each(runners)('%s is not allowed where the command is denied', (text) => {
  expect(judge(text.replace('%', 'touch pwned'), 'Bash')).not.toBe('allow')
})

test.each(runners.filter((text) => /^(npm|pnpm|yarn|bun|cargo|go|make) /.test(text)))(
  '%s is not allowed by a rule for the runner either',
  (text) => {
    expect(judge(text.replace('%', 'touch pwned'), `Bash(${text.split(' ', 1)[0] ?? ''}:*)`)).not.toBe('allow')
  },
)

describe('what only names the word', () => {
  test.each([
    'npm install touch',
    'npm --prefix web install touch',
    'npm run touch',
    'yarn workspace web add touch',
    'cargo add touch',
    'cargo build --bin touch',
    'go get touch',
    'make touch',
    'pip install touch',
    'brew install touch',
    'uv add touch',
    'git commit -m "touch pwned"',
    'git log --grep touch',
    'gh pr create --title touch --body "touch pwned"',
    'grep -rn touch src',
    'man touch',
  ])('%s runs', (line) => {
    expect(judge(line, 'Bash')).toBe('allow')
  })
})

test.each(['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'])(
  'a program called %s is one that nobody knows',
  (name) => {
    expect(judge(`${name} a.txt`, 'Bash')).toBe('allow')
    expect(judge(`${name} touch a.txt`, 'Bash')).toBe('ask')
  },
)

describe('a rule for a program', () => {
  test.each([
    'npm run test --script-shell=./x.sh',
    "npm test --node-options='--require ./x.js'",
    'sort --compress-program=./x.sh a.txt',
    'git diff --ext-diff',
    'git log --output=x',
    'cargo test --config=\'build.rustc-wrapper="./x.sh"\'',
    'go test -toolexec=./x.sh ./...',
  ])('does not reach %s', (line) => {
    expect(judge(line, `Bash(${line.split(' ', 1)[0] ?? ''}:*)`)).toBe('ask')
    expect(judge(line, `Bash(${line})`)).toBe('allow')
  })
})
