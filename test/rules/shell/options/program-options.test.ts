import { describe, expect, test } from 'vitest'
import { bringsProgram, isArgumentOfJq } from '../../../../src/rules/shell/options/program-options.ts'

const words = (line: string) => line.split(' ').map((value) => ({ value }))

describe('the first operand is a file where an option brings the program', () => {
  test.each(['grep -e x a', 'grep -1ex a', 'grep -v1f list a', 'grep --reg=x a', 'sed --exp=p a', 'rg --files src'])(
    '%s',
    (line) => expect(bringsProgram(words(line))).toBe(true),
  )
  test.each(['grep x a', 'grep -rn x a', 'rg -tfe x', 'sed -n p a', 'grep --recursive x'])('not of %s', (line) =>
    expect(bringsProgram(words(line))).toBe(false),
  )
})

test.each([
  ['jq --arg a b .x', 3, true],
  ['jq --arg a b .x', 4, false],
  ['jq --arg a b --argjson c d .x', 6, true],
  ['jq -L lib --arg a b .x', 5, false],
])('%s: word %i is an argument: %s', (line, at, isArgument) => expect(isArgumentOfJq(words(line), at)).toBe(isArgument))
