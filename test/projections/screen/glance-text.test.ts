import { expect, test } from 'vitest'
import { glanceText } from '../../../src/projections/screen/glance-text.ts'

test('a text of Markdown is one line without its signs', () => {
  const text = '# Findings\n\n**Two** tests fail in `a_b.ts`, see [the log](logs/a.txt).\n\n| a | b |\n'
  expect(glanceText(text)).toBe('Findings Two tests fail in a_b.ts, see the log. a b')
  expect(glanceText('x'.repeat(10_000))).toHaveLength(400)
})
