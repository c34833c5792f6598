import { describe, expect, test } from 'vitest'
import type { PermissionMode } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import type { DiskEntry } from '../../../src/rules/disk/disk.ts'

const directory = (name: string): DiskEntry => ({ name, kind: 'directory' })
const file = (name: string): DiskEntry => ({ name, kind: 'file' })
const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
  '/': [directory('repo')],
  '/repo': [directory('.git'), directory('.troupe'), directory('docs'), file('a.ts'), file('ignored'), file('z')],
  '/repo/.git': [directory('objects')],
  '/repo/docs': [file('c.md')],
  '/repo/.troupe': [directory('runs')],
  '/repo/.troupe/runs': [file('journal.jsonl')],
}
const disk = Object.assign((path: string) => path, {
  entries: (path: string) => folders[path] ?? null,
  text: (path: string) => (path === '/repo/ignored' ? '.troupe\n' : null),
})

function verdict(command: string, mode: PermissionMode, open: readonly string[] = []) {
  const bounds = { protected: ['/repo/.troupe'], open, scope: [], blockedHosts: [] }
  const request = { tool: 'Bash', input: { command }, cwd: open[0] ?? '/repo', home: '/home/ann' }
  const policy = { mode, rules: { user: { allow: ['Bash'] } }, bounds, directories: [request.cwd] }
  return decide(followPaths(analyse(request), disk), policy).behavior
}

describe.each<PermissionMode>(['default', 'bypassPermissions'])('%s: a closed directory', (mode) => {
  test.each([
    "cat $(find . -name '*.jsonl')",
    'f=$(find . -name journal.jsonl | head -n1); cat "$f"',
    "find . -name '*.jsonl' | while read f; do cat $f; done",
    `mapfile -t f < <(find . -name 'jou*'); cat "\${f[@]}"`,
    'for d in $(ls -A); do cat $d/runs/*; done',
    'cd "$(ls -A | grep ^.tr)"; cat runs/*',
    'echo .*/runs/* | xargs cat',
    'a=(.*/*/*); cat "${a[@]}"',
    'declare -a a=(.*/*/*); cat ${a[0]}',
    'readonly a=(.*); cat ${a[-1]}/runs/journal.jsonl',
    'a=(); a+=(.*/*/*); cat "${a[@]}"',
    'a[0]=.*/*/*; cat $a',
    'echo u | xargs -I% cat .tro%pe/runs/journal.jsonl',
    'cmake -E copy_directory . /tmp/q',
    'cmake -E tar cf /tmp/z.tar .',
    'git status --ignored -uall --porcelain | cut -c4- | xargs cat',
    'cat $(git status --ignored -uall --porcelain | cut -c4-)',
    'git clean -ndX | cut -c14- | xargs ls',
    'git check-ignore * | xargs cat',
    'find . -name journal.jsonl | tar cT - | tar xO',
    'tar c -T <(find . -name journal.jsonl) | tar xO',
    'find . -name journal.jsonl | zip -@ z',
    'a=(.trou pe); cat ${a[0]}${a[1]}/runs/journal.jsonl',
    'a=(pe .trou); cat ${a[1]}${a[0]}/runs/journal.jsonl',
    "read x y <<< '.trou pe'; ls $x$y",
    'printf -v x %s%s .trou pe; cat $x/runs/journal.jsonl',
    'set -- .trou pe; cat $1$2/runs/journal.jsonl',
    "mapfile -t a <<< $'.trou\\npe'; cat ${a[0]}${a[1]}/runs/journal.jsonl",
    'IFS=,; read x y <<< .trou,pe; cat $x$y/runs/journal.jsonl',
    'tar c -T ignored | tar xO',
    'while read d; do cat $d/runs/*; done < ignored',
    'xargs -I{} cat {}/runs/journal.jsonl < ignored',
    'xargs -a ignored -I{} cat {}/runs/journal.jsonl',
    'mapfile -t d < ignored; cat ${d[0]}/runs/journal.jsonl',
    'd=$(<ignored); cat $d/runs/journal.jsonl',
    ': .t*; cat $_/runs/journal.jsonl',
    'x=.trou; x+=pe; cat $x/runs/journal.jsonl',
    'cat .trou$!pe/runs/journal.jsonl',
    'cat .[[=t=]]roupe/runs/journal.jsonl',
    `perl -e 'print\`cat .[a-z]*/*/*\`'`,
    `awk 'BEGIN{system("cat .[a-z]*/*/*")}'`,
    `git -c alias.q='!cat .[a-z]*/*/*' q`,
    "compgen -G '.*/runs/*' | xargs cat",
    'x=xtroupe; cat ${x/x/.}/runs/journal.jsonl',
    'printf -v x .%s troupe; cat $x/runs/journal.jsonl',
    'cat .tro$(echo upe)/runs/journal.jsonl',
    'cat .${y}troupe/runs/journal.jsonl',
    'cat .t["r"]oupe/runs/journal.jsonl',
    'cd -P docs/up/..; cat repo/.t*/runs/*',
    'echo x >> .t*/runs/journal.jsonl',
    'tee q < .t*/runs/journal.jsonl',
    "printf '%s\\n' .troupe/z | while read f; do : > $f; done",
    "echo 'touch .troupe/z' > z; . ./z",
    'mkdir q; ln -s ../.troupe q/w; touch q/w/z',
    'du -a | cut -f2 | grep jou | xargs cat',
    'tree -fia | grep jou | xargs cat',
    'git diff --no-index docs .',
    "git apply <<< $'--- /dev/null\\n+++ b/.troupe/x\\n@@ -0,0 +1 @@\\n+x'",
    "git add -f '*.jsonl'",
    "git add -f '*uns*'",
    "git add -f ':(glob)**/journal.jsonl'",
    'git add -f :/',
    'git update-index --add --stdin < <(find . -name journal.jsonl)',
    'git update-index --add --cacheinfo 100644,78981922613b2afb6025042ff6bd878ac1994e85,.trou$(echo p)e/x',
    'git update-index --index-info <<< $\'100644 78981922613b2afb6025042ff6bd878ac1994e85\\t".trou\\\\160e/x"\'',
    'git apply <<< $\'--- /dev/null\\n+++ "b/.trou\\\\160e/x"\\n@@ -0,0 +1 @@\\n+x\'',
    "printf '+++ b/.trou%s/x' pe | git apply",
    "printf '+++ b/.trou%s/x' pe | patch -p1",
    "printf '+++ b/.trou%s/x' pe > p; git apply p",
  ])('is found by %s', (command) => expect(verdict(command, mode)).not.toBe('allow'))

  test.each([
    "for f in $(find . -name '*.ts'); do wc -l $f; done",
    'for f in $(ls); do wc -l $f; done',
    'for f in $(git ls-files); do wc -l $f; done',
    'ls -la; git show $(git rev-parse HEAD) --stat',
    'ls *.$x; cat $x.ts',
    'for f in docs/*; do wc -l < "$f"; done',
    'git add -f a.ts docs/c.md',
    "git add -f '*.md' docs/*.md",
    'git status --ignored --short',
    'git check-ignore -v z',
    'while read f; do wc -l $f; done < z',
    'xargs wc -l < z',
    "find docs -name '*.md' | tar cT - | wc -c",
    'tar c -T z | wc -c',
    'read x y <<< "t r"; echo $x$y',
    'cmake -E copy_directory docs /tmp/q',
    'git update-index --add a.ts',
    'git diff HEAD~1 -- a.ts | git apply -R',
    'git stash apply && npm test',
    'npm test && git am --continue',
  ])('is none of the matter of %s', (command) => expect(verdict(command, mode)).toBe('allow'))

  test.each([
    'git config core.worktree ../.troupe; git clean -fd',
    'git config core.worktree ../.troupe/runs',
    'git config --local core.worktree "../docs/../.troupe"',
    'git config set core.worktree ../.troupe',
    'git config core.worktree "$(cat z)"',
    'git -c core.worktree=../.troupe clean -fd',
    'git -c CORE.WORKTREE=../.troupe reset --hard',
    'cd docs; git config core.worktree ../.troupe',
    'git -C docs config core.worktree ../.troupe',
    'nice git config core.worktree ../.troupe',
    'GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.worktree GIT_CONFIG_VALUE_0=../.troupe git clean -fd',
    'env GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=core.worktree GIT_CONFIG_VALUE_0=../.troupe git clean -fd',
    'export GIT_CONFIG_KEY_0=core.worktree GIT_CONFIG_VALUE_0=../.troupe',
    'git add -f .; git reset --hard HEAD~',
    'git add -Af; git stash',
    'git add --force .',
    'git add --for -A',
    'cd docs; git add -f ..',
    'git add -f --pathspec-from-file=a.ts',
  ])('is no place for git: %s', (command) => expect(verdict(command, mode)).not.toBe('allow'))

  test.each([
    'git config core.worktree',
    'git config --get core.worktree',
    'git config --unset core.worktree',
    'git config core.worktree ../docs',
    'git commit -m "set core.worktree to ../.troupe"',
    'git add -f docs',
    'git add .',
    'git add -A',
    'git clean -fd',
  ])('is left alone by %s', (command) => expect(verdict(command, mode)).toBe('allow'))

  test('is not meant by the place of a worktree in it', () => {
    const tree = '/repo/.troupe/worktrees/run/ana'
    expect(verdict(`cat ${tree}/$(git diff --name-only | head -n1)`, mode, [tree])).toBe('allow')
  })
})
