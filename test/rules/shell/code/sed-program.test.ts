import { describe, expect, test } from 'vitest'
import { sedProgram } from '../../../../src/rules/shell/code/sed-program.ts'

describe('a program of sed', () => {
  test.each([
    ['1e date', ['1e date']],
    ['1{p;e x\n}', ['e x']],
    ['\fe x', ['e x']],
    ['#s/\\\ne x #/x/', ['e x #/x/']],
    ['a\\\nfoo\\\nbar\ne x', ['e x']],
    ['r y\\\ne x', ['e x']],
    ['\\,x,e x', ['\\,x,e x']],
    ['a e x', []],
    ['s/[/]/;e x/', []],
  ])('tells of %j which commands it runs', (text, runs) => {
    expect(sedProgram(text)?.runs).toEqual(runs)
  })

  test.each(['e', 's/a/b/e', 's/a/b/ e', 'sx.*xyxe', 's/[/]/;/e;/p#/p'])('runs what it reads in %j', (text) => {
    expect(sedProgram(text)?.runsInput).toBe(true)
  })

  test('names its files', () => {
    expect(sedProgram('r a\n/x/w b\ns/x/y/gw c')?.files).toEqual([
      { path: 'a', access: 'read' },
      { path: 'b', access: 'edit' },
      { path: 'c', access: 'edit' },
    ])
  })

  test.each([':a e x', 'v 4.2 e x', 's/a/b', 'K', 's/a/b/q', 'a\\  \ne x'])('is in doubt about %j', (text) => {
    expect(sedProgram(text)).toBeNull()
  })

  test.each(['[[:', '[]', '[^]', '[]a', '\\n', ' '])('comes to an end with many %j', (part) => {
    expect(sedProgram(`s/${part.repeat(300)}`)).toBeNull()
  })
})
