import { expect, test } from 'vitest'
import { namesGiven } from '../../../../src/rules/shell/options/builtin-options.ts'

test.each([
  ['read', '-rt1 -ax y', ['x', 'y']],
  ['read', '-a x', ['x']],
  ['read', '-p ask x', ['x']],
  ['read', '-pask -rax', ['x']],
  ['read', '-r -- -x', ['-x']],
  ['wait', '-n -pPATH 1', ['PATH', '1']],
  ['mapfile', '-t -n 3 lines', ['lines']],
  ['readarray', '-tn3 lines', ['lines']],
  ['unset', '-v x', ['x']],
])('%s %s names %j', (builtin, line, names) => {
  const words = line.split(' ').map((text) => ({ text, value: text, glob: false }))
  expect(namesGiven(builtin, words).map(({ value }) => value)).toEqual(names)
})
