import { describe, expect, test } from 'vitest'
import type { RuleLists } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

function judge(command: string, project: RuleLists) {
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/home/ann/repo', home: '/home/ann' })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  return decide(action, { mode: 'default', rules: { project }, bounds, directories: ['/home/ann/repo'] }).behavior
}

/** Lines that run a text which is not a command on the line: `%` is the command. */
const hidden = [
  `echo '%' | sh`,
  `echo '%' | bash -s`,
  `bash <<< '%'`,
  `sh <<EOF\n%\nEOF`,
  `trap '%' EXIT`,
  `alias ls='%'`,
  `x='%'; $x`,
  `eval "$x"`,
  `sh -c "$x"`,
  `. /dev/stdin <<< '%'`,
  `source <(echo '%')`,
  `echo '%' | xargs -I{} sh -c '{}'`,
  `make -f - <<< 'x:; %'`,
  `make --file=- <<< 'x:; %'`,
  `awk -f - <<< 'BEGIN { system("%") }'`,
  `python3 <<< 'import os; os.system("%")'`,
  `echo 'os.system("%")' | python3 -`,
  `node - <<EOF\nrequire("child_process").execSync("%")\nEOF`,
  `echo 'system("%")' | perl`,
  `printf -v PS4 %s '$(%)'; set -x; true`,
  `read PROMPT_COMMAND <<< '%'`,
  `BASH_ENV=env.sh bash x.sh`,
  `read x < a.txt; [[ $x -gt 1 ]]`,
  `while read n; do (( sum += n )); done < a.txt`,
  `set -o history -o histexpand\n: '%'\neval "!$"`,
  `set -H; set -o history\n: x\n!!`,
  `set -eHo history\n: x\n!!`,
  `set -o hist*\n: x\n!!`,
  `shopt -so history\n: x\n!!`,
  `bash -H -o history -c ': x\n!!'`,
  `bash -o histexpand -o history -c ': x\n!!'`,
  `nice bash -ec -o history ': x\n!!'`,
  `env SHELLOPTS=history:histexpand bash -c ': x\n!!'`,
  `env 'BASH_FUNC_q%%=() { %; }' bash -c q`,
  `nice env -i 'BASH_FUNC_ls%%=() { for""bidden; }' bash -c ls`,
  `env BASH_ENV=list.txt bash -c ls`,
  `sudo ENV=list.txt sh -c ls`,
  `env 'PS4=$(%)' bash -xc ls`,
  `env -S "'BASH_FUNC_q%%=() { x; }' bash -c q"`,
]

describe('a text that is run without standing on the line', () => {
  test.each(hidden)('%j is not allowed where a command is denied', (line) => {
    expect(judge(line.replace('%', 'rm a.txt'), { allow: ['Bash'], deny: ['Bash(rm *)'] })).not.toBe('allow')
  })

  test.each(hidden)('%j is not allowed where a file is denied', (line) => {
    expect(judge(line.replace('%', 'cat .env'), { allow: ['Bash'], deny: ['Read(.env)'] })).not.toBe('allow')
  })
})

describe('a word that only a running shell knows may be one of the rule', () => {
  const lists = {
    allow: ['Bash'],
    deny: ['Bash(rm * -rf *)', 'Bash(git push * main)', 'Bash(rm -rf:*)', 'Bash(* --force)'],
  }

  test.each([
    'rm a $(cat y) x',
    'rm "$@"',
    'X=$(cat y); rm a $X b',
    'git push origin $(cat x)',
    'git push origin "$(git branch --show-current)"',
    'cat l | xargs rm',
    'cat l | xargs -I{} rm a {} b',
    'npm install "$(cat x)"',
  ])('%s is asked about', (line) => {
    expect(judge(line, lists)).toBe('ask')
    expect(judge(line, { allow: ['Bash'], ask: lists.deny })).toBe('ask')
  })

  test.each([
    'rm a "$X" b',
    'rm a "b$(cat x)" c',
    'rm *.log',
    'find . -name "*.o" | xargs rm',
    'find src -name "*.o" -exec rm a {} b +',
    'git commit -m "$(cat x)"',
    'git push origin "dev/$(cat x)"',
    'while read -r line; do echo "$line"; done < notes.txt',
    'seq 1 5 | xargs -I{} echo item {}',
  ])('%s is left alone', (line) => {
    expect(judge(line, lists)).toBe('allow')
  })
})

test('a wildcard that may stand for the dot of a hidden file is asked about', () => {
  const lists = { allow: ['Bash'], deny: ['Read(.env)'] }
  expect(judge('cat ?env', lists)).not.toBe('allow')
  expect(judge('cat [.]env', lists)).not.toBe('allow')
  expect(judge('cat *.txt', lists)).toBe('allow')
})

describe('what only looks like it', () => {
  test.each([
    'sh build.sh',
    'bash ./scripts/test.sh --all',
    'source env.sh',
    'python3 tool.py',
    'python3 -m json.tool',
    'node --version',
    'bash --version',
    `perl -ne 'print' a.txt`,
    'make -f build.mk all',
    `awk -f sum.awk a.txt`,
    'sudo apt install python3',
    'while read line; do echo "$line"; done',
    'read x < a.txt; [[ -n $y ]]',
  ])('%j runs where a file is denied and Bash allowed', (line) => {
    expect(judge(line, { allow: ['Bash'], deny: ['Read(.env)'] })).toBe('allow')
  })

  test.each(['command -v node', 'which python3', 'echo node'])('%j runs without a rule', (line) => {
    expect(judge(line, { deny: ['Bash(rm *)', 'Read(.env)'] })).toBe('allow')
  })

  test('options of time are no command', () => {
    expect(judge('time -f x rm a.txt', { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('deny')
  })

  test('a rule for a builtin does not cover what it would run', () => {
    const allow = ['printf', 'set', 'read', '[[', 'let'].map((name) => `Bash(${name} *)`)
    expect(judge(`printf -v PS4 %s '$(touch x)'; set -x; true`, { allow })).toBe('ask')
    expect(judge('read x < a.txt; [[ $x -gt 1 ]]', { allow })).toBe('ask')
    expect(judge('read x < a.txt; let y=$x', { allow })).toBe('ask')
    expect(judge('printf -v total %s 3; [[ -n $total ]]', { allow })).toBe('allow')
  })
})
