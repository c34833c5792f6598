import { describe, expect, test } from 'vitest'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

const texts = (line: string) => bashCommands(line).commands.map((command) => command.text)
const only = (line: string) => {
  const { commands } = bashCommands(line)
  expect(commands).toHaveLength(1)
  return commands[0] ?? expect.fail('no command')
}

describe('bashCommands', () => {
  test.each([
    ['ls -la', ['ls -la']],
    ['git   commit\t-m x', ['git commit -m x']],
    ['a && b || c; d & e', ['a', 'b', 'c', 'd', 'e']],
    ['a | b |& c', ['a', 'b', 'c']],
    ['a\nb # c', ['a', 'b']],
    ['(a; b) && { c; }', ['a', 'b', 'c']],
    ['echo "$(a `b`)"', ['echo "$(a `b`)"', 'a `b`', 'b']],
    ['cat <(a) > >(b)', ['cat <(a)', 'a', 'b']],
    ['if a; then b; elif c; then d; else e; fi', ['a', 'b', 'c', 'd', 'e']],
    ['case $x in y) a;; esac', ['a']],
    ['f() { a; }; f', ['a', 'f']],
    ['! time a', ['a']],
    ['coproc a b', ['a b']],
    ['cat <<EOF\n$(a)\nEOF', ['cat', 'a']],
    ["cat <<'EOF'\n$(a)\nEOF", ['cat']],
    ['echo ${x:-$(a)} $((1 + $(b)))', ['echo ${x:-$(a)} $((1 + $(b)))', 'a', 'b']],
    ['bash -c "a; b"', ['bash -c "a; b"', 'a', 'b']],
    ["/bin/sh -ec 'a'", ["/bin/sh -ec 'a'", 'a']],
    ['eval a "&& b"', ['eval a "&& b"', 'a', 'b']],
    ['bash script.sh', ['bash script.sh']],
    ['bash -c "$x"', ['bash -c "$x"']],
    ['eval "$x"', ['eval "$x"']],
    ['[[ -f a && $(b) ]]', ['[[ -f a && $(b) ]]'.replace('-f a && $(b) ]]', 'a $(b)'), 'b']],
    ['(( x + $(a) ))', ['(( x + $(a) ))', 'a']],
    ['A=1 B=2 cmd x', ['A=1 B=2 cmd x']],
    ['declare -x P=1', ['declare -x P=1']],
  ])('%s', (line, commands) => {
    expect(texts(line)).toEqual(commands)
    expect(bashCommands(line).unparsable).toBeUndefined()
  })

  test('words know their value, and whether it is certain', () => {
    const { words } = only(`r"m" \\x $'\\x61' "b c" $d "e$f" *.g {h,i} ~/j ~+ ~ann '*' @(k|l)`)
    expect(words.map((word) => [word.value, word.glob])).toEqual([
      ['rm', false],
      ['x', false],
      ['a', false],
      ['b c', false],
      [null, false],
      [null, false],
      ['*.g', true],
      ['h', false],
      ['i', false],
      ['~/j', false],
      [null, false],
      [null, false],
      ['*', false],
      [null, false],
    ])
    expect(words[0]?.text).toBe('r"m"')
  })

  test('an assigned word is certain when its value is', () => {
    expect(only('export A=1 B=$x C[0]=1').words.map((word) => word.value)).toEqual(['export', 'A=1', null, null])
    expect(only('A=1 B="x y" cmd').assignments).toEqual(['A=1', 'B=x y'])
  })

  test.each([
    ['a > f', [['edit', 'f']]],
    [
      'a >> f 2> g',
      [
        ['edit', 'f'],
        ['edit', 'g'],
      ],
    ],
    ['a >| f', [['edit', 'f']]],
    ['a &> f', [['edit', 'f']]],
    ['a >& f', [['edit', 'f']]],
    [
      'a <> f',
      [
        ['edit', 'f'],
        ['read', 'f'],
      ],
    ],
    ['a < f', [['read', 'f']]],
    ['> f a', [['edit', 'f']]],
    ['a > /dev/null 2>&1', []],
    ['a > /dev/stderr > /dev/fd/2 < /dev/tty', []],
    ['a > /dev/nullx', [['edit', '/dev/nullx']]],
    ['a 2>&- >&2-', []],
    ['a <<< x', []],
    ['a > >(true)', []],
  ])('%s opens %j', (line, opened) => {
    const redirects = bashCommands(line).commands[0]?.redirects ?? []
    expect(redirects.map(({ access, word }) => [access, word.value])).toEqual(opened)
  })

  test('a redirect of a group belongs to a command without words', () => {
    const [group, inner] = bashCommands('{ a; } > f').commands
    expect(group?.words).toEqual([])
    expect(group?.redirects).toHaveLength(1)
    expect(inner?.text).toBe('a')
  })

  test.each([
    ['a &&& b', /^expected command/],
    ['echo "x', /./],
    ['', /^there is no command in it$/],
    ['# nothing', /^there is no command in it$/],
    ['a\0b', /^the command holds a NUL character$/],
    [`echo ${'x'.repeat(9_996)}`, /^the command is longer than 10000 characters$/],
    ['a > $f', /^a redirect goes to a file whose name is only known when it runs$/],
    ['a > *.txt', /^a redirect goes to a file whose name is only known when it runs$/],
    [`${'eval '.repeat(6)}a`, /^shells are nested too deeply$/],
    ['bash -c "a &&& b"', /^expected command/],
    ['echo $(a &&& b)', /^expected command/],
  ])('%j cannot be judged', (line, reason) => {
    expect(bashCommands(line).unparsable).toMatch(reason)
  })

  test('ten thousand characters are still read', () => {
    expect(bashCommands(`echo ${'x'.repeat(9_995)}`).unparsable).toBeUndefined()
  })

  test('a comment at the end of plain words counts for nothing, however long', () => {
    expect(bashCommands(`true #${'x'.repeat(2_000_000)}`)).toEqual({ commands: bashCommands('true').commands })
  })

  test.each([
    `echo "a #${'x'.repeat(10_000)}" && rm b`,
    `true #${'x'.repeat(10_000)}\nrm b`,
    `a$(b) #${'x'.repeat(10_000)}`,
  ])('a long line that only seems to end in a comment cannot be judged: %#', (line) =>
    expect(bashCommands(line).unparsable).toMatch(/^the command is longer/),
  )

  test('a broken line still shows the commands it holds', () => {
    expect(texts('rm a &&& b')).toEqual(['rm a', 'b'])
  })
})
