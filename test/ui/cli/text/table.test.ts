import fc from 'fast-check'
import { expect, test } from 'vitest'
import { widthOf } from '../../../../src/ui/text/terminal-text.ts'
import { table } from '../../../../src/ui/cli/text/table.ts'

const rows = [['01J8ZK7Q4N5W3R2T1Y0PABCDEF', 'ready', 'a long account of what happened, and when']]

test('columns are as wide as their widest cell where nothing bounds them', () => {
  expect(table(['ID', 'STATE', 'TEXT'], rows)).toBe(
    'ID                          STATE  TEXT\n01J8ZK7Q4N5W3R2T1Y0PABCDEF  ready  a long account of what happened, and when\n',
  )
})

test('texts of the last column are cut where a row would wrap, and never to nothing', () => {
  const at = (screen: number): string | undefined => table(['ID', 'STATE', 'TEXT'], rows, screen).split('\n')[1]
  expect(at(60)).toBe('01J8ZK7Q4N5W3R2T1Y0PABCDEF  ready  a long account of what h…')
  expect(at(20)).toBe('01J8ZK7Q4N5W3R2T1Y0PABCDEF  ready  a long acco…')
})

test('no row wraps that could do without', () => {
  const cell = fc.string({ maxLength: 10 })
  const line = fc.tuple(cell, cell, fc.string({ maxLength: 200 }))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 5 }), fc.integer({ min: 80, max: 200 }), (all, screen) => {
      for (const shown of table(['A', 'B', 'C'], all, screen).split('\n'))
        expect(widthOf(shown)).toBeLessThanOrEqual(screen)
    }),
  )
})
