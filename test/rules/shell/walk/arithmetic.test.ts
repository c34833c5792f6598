import { describe, expect, test } from 'vitest'
import { breaksOff } from '../../../../src/rules/shell/walk/arithmetic.ts'

describe('bash gives up a calculation in its middle', () => {
  test.each(['PATH=1!', 'PATH=1~', 'PATH=1 2', 'PATH=1 x', 'a[1] 2', '(1) (2)', '1,PATH=1!'])('%s', (text) =>
    expect(breaksOff(text)).toBe(true),
  )
})

describe('bash works out the whole', () => {
  test.each(['1 + 2', 'i != 3', 'i < n', '!x', '~5', '(1 + 2) * 3', 'n > 1 ? 2 : 3', '$(wc -l < a) + 1', 'i++'])(
    '%s',
    (text) => expect(breaksOff(text)).toBe(false),
  )
})
