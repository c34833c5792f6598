import { fc, test as check } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { codeSpans } from '../../../../src/ui/tui/pane/code-spans.ts'

const coloured = (code: string, language: string): readonly unknown[] =>
  codeSpans(code, language).flatMap(({ text, tone }) => (tone === null ? [] : [[text, tone]]))

test('the words of code have the tones of their kinds', () => {
  expect(coloured('let a = 1 // one', 'ts')).toEqual([
    ['let', 'magenta'],
    ['1', 'yellow'],
    ['// one', 'dim'],
  ])
  expect(coloured('def f(): # no', 'python')).toEqual([
    ['def', 'magenta'],
    ['# no', 'dim'],
  ])
  expect(coloured('x', 'brainfuck')).toEqual([['x', 'cyan']])
})

test('code is coloured up to 20,000 characters, and longer code has one tone', () => {
  const code = 'let a = 1\n'.repeat(2_000)
  expect(coloured(code, 'ts')).toContainEqual(['let', 'magenta'])
  expect(coloured(`${code}\n`, 'ts')).toEqual([[`${code}\n`, 'cyan']])
})

check.prop([
  fc.string({ unit: 'grapheme' }),
  fc.constantFrom('ts', 'python', 'rust', 'bash', 'html', 'yaml', 'css', 'md'),
])('no character of any code is lost', (code, language) => {
  expect(
    codeSpans(code, language)
      .map(({ text }) => text)
      .join(''),
  ).toBe(code)
})
