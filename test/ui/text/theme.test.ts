import { expect, test } from 'vitest'
import { paintFor, themeOf } from '../../../src/ui/text/theme.ts'

const terminal = { isTTY: true }

test('the theme is the wished one, else the named one, else what the terminal says of its background', () => {
  expect(themeOf('dark', { TROUPE_THEME: 'light' })).toBe('dark')
  expect(themeOf(undefined, { TROUPE_THEME: 'light', COLORFGBG: '15;0' })).toBe('light')
  expect(themeOf(undefined, { TROUPE_THEME: 'blue', COLORFGBG: '0;default;15' })).toBe('light')
  expect(themeOf(undefined, { COLORFGBG: '15;0' })).toBe('dark')
  expect(themeOf(undefined, {})).toBe('dark')
})

test('a light theme takes colours that can be read on white; no colour goes where none is wished', () => {
  expect(paintFor(terminal, {}, 'light')('yellow', 'x')).toBe('\u001b[38;5;130mx\u001b[39m')
  expect(paintFor(terminal, {}, 'light')('inverse', 'x')).toBe('\u001b[7mx\u001b[27m')
  expect(paintFor(terminal, {}, 'none')('yellow', 'x')).toBe('x')
  expect(paintFor(terminal, { NO_COLOR: '1' }, 'light')('yellow', 'x')).toBe('x')
})
