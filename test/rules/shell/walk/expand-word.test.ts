import { describe, expect, test } from 'vitest'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

const from = { cwd: '/repo', home: '/home/ann' }
const last = (line: string) => bashCommands(line, from).commands.filter(({ text }) => text.startsWith('cat'))
const values = (line: string) => last(line).map(({ words }) => words.slice(1).map(({ value }) => value))

describe('the words of a command', () => {
  test.each([
    ['x=a; cat $x', [['a']]],
    ['x=a; x=b; cat $x', [['b']]],
    ['x="a b"; cat $x', [['a', 'b']]],
    ['x="a b"; cat "$x"', [['a b']]],
    ['x=a; y=$x.ts; cat $y', [['a.ts']]],
    ['x=a && cat $x', [['a']]],
    ['false && x=a; cat $x', [[null]]],
    ['x=a; false && x=b; cat $x', [['a'], ['b']]],
    ['x=a; (x=b); cat $x', [['a']]],
    ['if y; then x=a; else x=b; fi; cat $x', [['a'], ['b']]],
    ['for x in a b; do cat $x; done', [['a'], ['b']]],
    ['for x in a{1..3}; do cat $x; done', [['a1'], ['a2'], ['a3']]],
    ['x=a; for i in 1 2; do cat $x; x=b; done', [['a'], ['b']]],
    ['x=a; for i in 1 2; do x=$x/b; cat $x; done', [[null]]],
    ['for x in $(ls); do cat $x; done', [[null]]],
    ['x=a; f() { x=b; }; f; cat $x', [[null]]],
    ['x=a; eval "$y"; cat $x', [[null]]],
    ['x=a; read x; cat $x', [[null]]],
    ['cat $HOME/a', [['/home/ann/a']]],
    ['cd sub && cat $PWD/a', [['/repo/sub/a']]],
    ['HOME=/x; cat ~/a', [[null]]],
    ['cat {a,b}.ts', [['a.ts', 'b.ts']]],
    ['cat a{b,c}{d,e}', [['abd', 'abe', 'acd', 'ace']]],
    ["cat $'\\x2eenv'", [['.env']]],
    ['cat ${x:-a}', [[null]]],
    ['x=a; cat ${x:-b}', [['a']]],
    ['IFS=,; x=a,b; cat $x', [[null]]],
    ['x=; cat $x a', [['a']]],
  ])('%s', (line, expected) => {
    expect(values(line)).toEqual(expected)
  })

  test('too many ways are one that nobody knows', () => {
    expect(values(`for x in ${'a '.repeat(10)}b c d; do for y in {1..20}; do cat $x$y; done; done`)).toEqual([[null]])
  })

  test.each([
    ['cd a && cat x', [['/repo/a']]],
    ['cd a; cat x', [['/repo', '/repo/a']]],
    ['cd a || exit 1; cat x', [['/repo/a']]],
    ['(cd a); cat x', [['/repo']]],
    ['cd a | true; cat x', [['/repo', '/repo/a']]],
    ['for d in /a /b; do cd $d && cat x; done', [['/a', '/b']]],
    ['cd $x; cat x', [null]],
    ['x=a; cd $x && cat x', [['/repo/a']]],
    ['cd() { :; }; cd a && cat x', [null]],
    ['cd && cat x', [['/home/ann']]],
    ['cd /a; cd /b && cat x', [['/b']]],
  ])('the directories of %s', (line, expected) => {
    expect(last(line).map(({ directories }) => directories)).toEqual(expected)
  })
})

describe('a text that is worked out', () => {
  const dangers = (line: string) => bashCommands(line, from).commands.flatMap(({ hazard }) => hazard ?? [])

  test.each([
    'echo $((1 + 2))',
    'i=0; echo $((i + 1))',
    'i=0; while ((i < 3)); do ((i++)); done',
    'for i in 1 2 3; do echo $((i * 2)); done',
    'for ((i = 0; i < 3; i++)); do echo $i; done',
    'n=$(wc -l < a); echo $((n - 1))',
    '[ "$(ls | wc -l)" -gt 3 ]',
    '[[ $RANDOM -gt 3 ]]',
    'echo ${PATH:0:3}',
    'x=abc; echo ${x:1}',
    'a=1; b=a; echo $((b))',
    'test -v FOO',
    'echo ${#x} ${x%.ts}',
    '[ "$x" = y ]',
    'let i=1+2',
  ])('%s runs nothing', (line) => {
    expect(dangers(line)).toEqual([])
  })

  test.each([
    'x=$(cat a); echo $((x))',
    'for x in *; do echo $((x)); done',
    'read n; echo $((n))',
    'echo $(( $(cat a) ))',
    'x="a[\\$(b)]"; [[ $x -eq 1 ]]',
    'x="a[\\$(b)]"; echo ${y:x}',
    'echo ${!x} ${!1}',
    'test -v "$1"',
    '[ $(cat a) = b ]',
    'let "$1"',
    'declare -i n',
    'echo $((BASH_COMMAND))',
    'f() { :; }; echo $((x))',
    'unset "$(cat a)"',
  ])('%s may', (line) => {
    expect(dangers(line)).not.toEqual([])
  })
})
