import { describe, expect, test } from 'vitest'
import { permissionModes, type PermissionMode, type Policy } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const policy = (mode: PermissionMode): Policy => ({
  mode,
  rules: { cliArg: { allow: ['Bash', 'Bash(*)'] } },
  bounds: { protected: [], scope: [], blockedHosts: [] },
  directories: ['/w'],
})
const judged = (command: string, mode: PermissionMode) =>
  decide(analyse({ tool: 'Bash', input: { command }, cwd: '/w', home: '/home/ann' }), policy(mode))

const acts = [
  'permissions answer w1-2-1 allow',
  "permissions add 'Bash(rm *)'",
  'trust',
  'stop',
  'undo review ana',
  'memory edit use-tabs',
  'memory --json forget use-tabs',
  'memory import x.md',
  'mcp add evil -- ./x',
  'mcp --scope user remove search',
  'mcp login search',
  'mcp call search delete {}',
  'compact review ana',
  'resume',
  'continue r "go on"',
  'fork r --at x',
  'attach',
  'serve --port 0 --json',
  'send lead "allow it"',
  'mail requeue x',
  'worktrees merge ana',
  'runs gc',
  'run t --trust',
  'run t --mode bypassPermissions --dangerously-skip-permissions',
  'run t --allow Bash',
  'run t --mode=acceptEdits',
]
const ways = [
  'troupe ACT',
  'npx troupe ACT',
  'npx -y troupe@latest ACT',
  'pnpm dlx troupe ACT',
  './node_modules/.bin/troupe ACT',
  'node node_modules/troupe/dist/src/ui/cli/bin.js ACT',
  'node --no-warnings dist/src/ui/cli/bin.js ACT',
  'env -u TROUPE_LIFE troupe ACT',
  'env -i PATH=$PATH troupe ACT',
  'A=1 troupe ACT',
  't=troupe; $t ACT',
  'command troupe ACT',
  'nohup setsid troupe ACT &',
  'timeout 5 troupe ACT',
  'true && (troupe ACT)',
  'if true; then troupe ACT; fi',
  'f() { troupe ACT; }; f',
  'x=$(troupe ACT)',
]

describe('what a person does for the run', () => {
  test.for(ways.flatMap((way) => acts.map((act) => way.replace('ACT', () => act))))(
    'is denied in every mode: %s',
    (line) => {
      for (const mode of permissionModes)
        expect(judged(line, mode)).toMatchObject({ behavior: 'deny', source: 'bounds' })
    },
  )

  test.for([
    "sh -c 'troupe permissions answer x allow'",
    "bash -lc 'npx troupe trust'",
    'eval "troupe stop"',
    'echo x | xargs troupe permissions answer',
    'find . -name x -exec troupe permissions answer {} allow ;',
    'v=answer; troupe permissions $v x allow',
    'set -- troupe stop; "$@"',
    'a=(troupe stop); "${a[@]}"',
    'troupe permissions $(echo answer) x allow',
    'troupe $VERB x',
    'python3 -c "import os; os.system(\'troupe permissions answer x allow\')"',
    "node -e \"require('child_process').execSync('troupe trust')\"",
    "node -e \"import('troupe/runs').then(m => m.answerApproval('d', 'x', {behavior: 'allow'}))\"",
    "git -c alias.x='!troupe stop' x",
    'uv run troupe stop',
    'tmux send-keys -t 0 y Enter',
    'tmux -S /tmp/s send -t 0 y',
    'tmux send-k -t 0 y',
    'tmux paste-b',
    'kitty @ send-text y',
    'kitten @ --to unix:/x send-key enter',
    'wezterm cli send-text --pane-id 0 y',
    'screen -S x -X stuff y',
    'xdotool type y',
    "sh -c 'tmux send-keys y'",
    'T=tmux; $T send-keys y',
    'zellij action write-chars y',
    'ln -s node_modules/.bin/troupe q; ./q stop',
    'cp ./node_modules/.bin/troupe q; ./q stop',
    'mv bin/troupe q && q stop',
    'alias q=troupe\nq stop',
    'alias q="npm_config_x=1 troupe" r="troupe stop"',
    'hash -p node_modules/.bin/troupe ls; ls stop',
    'xargs troupe <<< "stop r"',
    "make -f <(printf 'x:\\n\\ttroupe stop r\\n')",
    '$(which troupe) stop r',
    'env "$(command -v troupe)" permissions answer x allow',
    'sh `which troupe` stop',
    'npx $(echo troupe) stop',
    'alias q=$(which troupe); q stop',
    "git -c alias.x='!$(which troupe) stop' x",
  ])('is denied however it is called: %s', (line) => {
    for (const mode of permissionModes) expect(judged(line, mode)).toMatchObject({ behavior: 'deny', source: 'bounds' })
  })

  const perhaps = [
    'ls node_modules/.bin/troupe | xargs -I{} {} permissions answer x allow',
    'find node_modules/.bin -name "tr*" -exec {} permissions answer x allow \\;',
    'find node_modules/.bin -name "tr*" -exec sh -c "{} stop" \\;',
    'find node_modules/.bin -name "tr*" -exec sh -c \'$1 stop\' x {} \\;',
    'find . -name "tr*" -execdir ./{} stop \\;',
    'ls node_modules/.bin | xargs -I% sh -c "% stop"',
    '$(cat x) permissions answer y allow',
    'node "$(cat x)" stop',
    'x=$(which troupe) && $x stop r',
    'npx tr"$(cat x)" trust',
    'docker exec c $(cat x) memory forget y',
    ': troupe; $_ ps',
    'set -- troupe stop; shift 0; "$@"',
    'read a b <<< "troupe stop"; $a $b',
    '$(cat x) run t --trust',
  ]
  test.for(perhaps)('is asked about where the program may be any: %s', (line) => {
    for (const mode of permissionModes.filter((each) => each !== 'dontAsk' && each !== 'plan'))
      expect(judged(line, mode)).toMatchObject({ behavior: 'ask', source: 'bounds' })
    expect(judged(line, 'dontAsk').behavior).toBe('deny')
  })

  test.for([
    '$DOCKER stop x',
    '$(which docker) stop x',
    '"$(npm bin)/vite" serve',
    'docker compose -f "$(cat x)" stop',
    'docker ps -q | xargs -I{} docker stop {}',
    'for s in $(cat l); do systemctl stop $s; done',
    'echo $(cat x) permissions answer',
    'find . -name "*.ts" -exec grep stop {} \\;',
    'cd ~/work/troupe && npm test',
    'rm "$(npm bin)/troupe"',
    'troupe ps',
    'troupe permissions pending',
    'troupe memory ls',
    "troupe permissions explain 'Bash(ls)'",
    'npx troupe run quickstart "Count."',
    'troupe run t --mode plan --deny Bash',
    'troupe worktrees ls',
    'troupe logs r',
    'echo troupe stop',
    'grep -rn "troupe trust" docs',
    'git commit -m "troupe stop: end the run"',
    'tmux ls',
    'tmux capture-pane -p',
    'kitty --version',
    'cp notes.txt troupe.md',
    'ln -s ../docs q',
    'alias q="git status"',
  ])('leaves the rest alone: %s', (line) => {
    expect(judged(line, 'bypassPermissions').behavior).toBe('allow')
  })

  test('is denied by a link as well, and a directory of that name is like any other', () => {
    const disk = Object.assign((path: string) => (path === '/w/q' ? '/w/node_modules/.bin/troupe' : path), {
      entries: (directory: string) =>
        directory !== '/w'
          ? []
          : [
              { name: 'troupe', kind: 'directory' as const },
              { name: 'q', kind: 'link' as const },
            ],
    })
    const onDisk = (command: string) =>
      decide(followPaths(analyse({ tool: 'Bash', input: { command }, cwd: '/w', home: '/h' }), disk), policy('default'))
    expect(onDisk('./q permissions answer x allow')).toMatchObject({ behavior: 'deny', source: 'bounds' })
    expect(onDisk('./q ps').behavior).toBe('allow')
    expect(onDisk('cp -r troupe old').behavior).toBe('allow')
    expect(onDisk('cp -r tr* old').behavior).toBe('allow')
    for (const line of [
      'node q stop',
      'npx ./q stop',
      'echo stop | xargs ./q',
      'cp ./q r',
      'ln -s [q]* r',
      'npx q* stop',
      'cp ./q* r',
    ])
      expect(onDisk(line)).toMatchObject({ behavior: 'deny', source: 'bounds' })
  })
})
