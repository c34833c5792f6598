import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { widthOf, type Tone } from '../../../../src/ui/text/terminal-text.ts'
import { editLines } from '../../../../src/ui/tui/pane/edit-lines.ts'
import { markdownLines } from '../../../../src/ui/tui/pane/markdown.ts'

const plain = { width: 40, paint: (_: Tone, text: string): string => text }
const toned = { width: 40, paint: (tone: Tone, text: string): string => `<${tone}>${text}</>` }

test.each([
  ['# Title\n\nText.', ['# Title', '', 'Text.']],
  ['one **two** *three* `four` ~~five~~', ['one two three four five']],
  ['[docs](https://a.example) and <https://b.example>', ['docs (https://a.example) and', 'https://b.example']],
  ['- a\n- b\n  - c', ['• a', '• b', '  • c']],
  ['3. a\n4. b', ['3. a', '4. b']],
  ['- [x] done\n- [ ] open', ['• [x] done', '• [ ] open']],
  ['> said\n> twice', ['│ said', '│ twice']],
  ['```ts\nconst a = 1\n\n  b()\n```', ['ts', '  const a = 1', '  ', '    b()']],
  ['```sh\nnever closed', ['sh', '  never closed']],
  ['| a | b |\n|---|---|\n| 日本 | 2 |', ['a    │ b', '─────┼──', '日本 │ 2']],
  ['a\n\n---\n\nb', ['a', '', '─'.repeat(40), '', 'b']],
  ['| a |\n|---|\n| b | c |', ['| a |', '|---|', '| b | c |']],
  ['![alt](image.png)', ['![alt](image.png)']],
  ['``` what is it?\nx\n```', ['what is it?', '  x']],
  ['<!-- hidden? -->', ['<!-- hidden? -->']],
  ['[unused]: https://c.example', ['[unused]: https://c.example']],
  ['a < b && c > d &amp; "e"', ['a < b && c > d &amp; "e"']],
])('%j as lines', (text, lines) => {
  expect(markdownLines(text, plain)).toEqual(lines)
})

test('a table without room stands as it was written', () => {
  const table = '| a | b |\n|---|---|\n| a long cell here | and another one |'
  expect(markdownLines(table, { ...plain, width: 20 }).join('\n')).toContain('|---|---|')
})

test('a tone that is broken into two lines ends and begins again', () => {
  expect(markdownLines('**one two** three', { ...toned, width: 8 })).toEqual(['<bold>one two</>', 'three'])
  expect(markdownLines('a **one two** b', { ...toned, width: 6 })).toEqual(['a <bold>one</>', '<bold>two</> b'])
})

const soup = fc
  .array(
    fc.constantFrom(
      '#',
      ' ',
      '\n',
      '*',
      '`',
      '```',
      '- ',
      '1. ',
      '> ',
      '|',
      '---',
      '\n```\n',
      'word',
      '日本',
      '👩‍👩‍👧',
      '[',
      '](',
      ')',
      '<',
      '\t',
    ),
  )
  .map((parts) => parts.join(''))

property.prop([soup, fc.integer({ min: 8, max: 60 })])('no line is wider than its pane', (text, width) => {
  for (const line of markdownLines(text, { ...plain, width })) expect(widthOf(line)).toBeLessThanOrEqual(width)
})

test.each(['1. 1. 1. word', '> > > > w', '- - - - `word`', '> '.repeat(20_000)])(
  'also where it is narrow: %j',
  (text) => {
    for (const line of markdownLines(text, { ...plain, width: 8 })) expect(widthOf(line)).toBeLessThanOrEqual(8)
  },
)

property.prop([soup])('each word that was written is there to be read', (text) => {
  const words = (from: string): number => from.split('word').length
  expect(words(markdownLines(text, { ...plain, width: 60 }).join(''))).toBe(words(text))
})

test('nothing in it is obeyed by a terminal', () => {
  const evil = '\u001b]52;c;aGk=\u0007# a\u001b[2J\n\n```\n\u001b[31mred\u009b0m\n```\n[x](\u001b]8;;http://e\u0007)'
  expect(markdownLines(evil, plain).join('\n')).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
})

test.each([
  [{ file_path: 'a', old_string: 'x\nsame', new_string: 'y\nsame' }, ['  - x', '  + y', '    same']],
  [{ file_path: 'a', content: 'one\n' }, ['  + one']],
  [{ file_path: 'a', edits: [{ old_string: 'x', new_string: 'y' }] }, ['  - x', '  + y']],
  [{ file_path: 'a', old_string: '\u001b[2Jx', new_string: '' }, ['  - x']],
])('the change of an edit %j', (input, lines) => {
  expect(editLines(input, plain)).toEqual(lines)
})

test.each([[{ command: 'ls' }], [null], ['text'], [{ content: 'no file' }], [{ file_path: 'a' }]])(
  '%j changes no file',
  (input) => {
    expect(editLines(input, plain)).toBeNull()
  },
)
