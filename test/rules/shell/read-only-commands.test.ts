import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { emptyDisk } from '../support/empty-disk.ts'

const look = (command: string) => analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home: '/home/ann' })
const judge = (command: string, action = followPaths(look(command), emptyDisk)) =>
  decide(action, {
    mode: 'default',
    rules: {},
    bounds: { protected: [], scope: [], blockedHosts: [] },
    directories: ['/repo'],
  }).behavior

describe('runs without a question', () => {
  test.each([
    'ls',
    'ls -la src *.ts',
    'cat a | head -3 | tail -1',
    'wc -l a && pwd; true',
    'wc -l src/*.ts',
    'echo $HOME *',
    'grep -rn x src',
    'grep -E "a|b" f',
    'sort -k2,2 -t, -rn f',
    'sort -u f | uniq -c',
    'cut -d: -f1 f | tr a-z A-Z',
    'test -f a',
    '[ -d src ]',
    'find . -name "*.ts" -type f',
    'which node',
    'stat a',
    'du -sh .',
    'diff a b',
    'date',
    'date -u +%F',
    'printf "%s\\n" a',
    'cd src && ls',
    'LANG=C ls',
    'nohup ls',
    'timeout 5 cat a',
    'git status --short',
    'git --no-pager log --oneline -5',
    'git log',
    'git diff HEAD~1 -- src',
    'git show HEAD',
    'git ls-files | wc -l',
    'git rev-list --count HEAD',
    'git rev-parse HEAD',
    'git branch',
    'git branch -a',
    'git branch --show-current',
    'git branch --list "x*"',
    'ls > /dev/null 2>&1',
    'cat < a',
  ])('%s', (command) => {
    expect(judge(command)).toBe('allow')
  })
})

describe('is asked', () => {
  test.each([
    ['outside', 'cat /etc/passwd'],
    ['outside', 'cat ../x'],
    ['outside', 'ls ~'],
    ['outside', 'cd .. && ls'],
    ['outside', 'cat < /etc/passwd'],
    ['outside', 'grep -f /etc/passwd x'],
    ['outside', 'grep x --file=/etc/passwd'],
    ['may follow a link', 'cat link/../x'],
    ['may follow a link', 'cat ./link/..'],
    ['may follow a link', 'cat < link/../x'],
    ['may follow a link', 'cd sub && cat ../x'],
    ['may follow a link', 'cd sub && ls ..'],
    ['outside, glued to flags', 'grep -rf/etc/passwd .'],
    ['outside, glued to flags', 'ls -laI/etc'],
    ['an unknown directory', 'cd "$x" && ls'],
    ['an unknown directory', 'cd - && ls'],
    ['an unknown directory', 'for i in 1; do cd ..; done; ls'],
    ['a glob may lead through a link', 'cat *.txt'],
    ['an unknown word', 'cat $f'],
    ['an unknown word', 'git log $x'],
    ['an unknown command', '$x'],
    ['a write', 'ls > out'],
    ['another environment', 'PATH=. ls'],
    ['another environment', 'GIT_DIR=x git status'],
    ['an assignment that stays', 'PATH=.; ls'],
    ['not in the set', 'make'],
    ['not in the set', 'node -e 1'],
    ['not in the set', 'ls && make'],
    ['not in the set', 'constructor'],
    ['follows links', 'grep -R x .'],
    ['follows links', 'grep --dereference-recursive x .'],
    ['writes', 'sort -o out f'],
    ['writes', 'sort --output=out f'],
    ['runs', 'sort --compress-program=x f'],
    ['writes', 'uniq a b'],
    ['runs', 'find . -exec x ;'],
    ['runs', 'find . -ok x ;'],
    ['removes', 'find . -delete'],
    ['writes', 'find . -fprint x'],
    ['writes', 'find . -fls x'],
    ['follows links', 'find -L .'],
    ['sets', 'date -s 0'],
    ['sets', 'date 01010101'],
    ['assigns', 'printf -v x y'],
    ['evaluates', "test -v 'a[$(x)]'"],
    ['reads names from elsewhere', 'xargs cat'],
    ['another repository', 'cd sub && git status'],
    ['another repository', 'git -C sub status'],
    ['runs', 'git -c core.pager=x log'],
    ['writes', 'git log --output=x'],
    ['writes', 'git log --outp x'],
    ['runs', 'git diff --ext-diff'],
    ['not in the set', 'git push'],
    ['not in the set', 'git'],
    ['makes', 'git branch x'],
    ['removes', 'git branch -D x'],
    ['removes', 'git branch --list -D x'],
  ])('%s: %s', (_, command) => {
    expect(judge(command, look(command))).toBe('ask')
  })
})

describe('a line that counts the lines of tracked files', () => {
  const line = 'git ls-files -z | xargs -0 cat 2>/dev/null | wc -l'

  test('shows a number and nothing else, so it runs without a question', () => {
    expect(judge(line)).toBe('allow')
  })

  test.each([
    ['what is appended', `${line}; touch x`],
    ['what is put before', `cd / && ${line}`],
    ['another reader', line.replace('cat', 'less')],
    ['other names', line.replace('git ls-files -z', 'find / -print0')],
  ])('%s are asked about', (_, other) => {
    expect(judge(other)).toBe('ask')
  })
})
