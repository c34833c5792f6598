import { fc, test as property } from '@fast-check/vitest'
import { expect, test } from 'vitest'
import { gridOf } from '../../../src/ui/tui/layout.ts'

const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `m${n + 1}`)

property.prop([
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 300 }),
  fc.integer({ min: 1, max: 100 }),
  fc.nat(39),
])('the room is filled exactly, and who is in focus is in it', (count, columns, rows, index) => {
  const all = names(count)
  const focus = all[index % count] ?? 'm1'
  const grid = gridOf(all, focus, { columns, rows })
  expect(grid.reduce((sum, { height }) => sum + height, 0)).toBe(rows)
  for (const { cells } of grid) {
    expect(cells.reduce((sum, { width }) => sum + width, cells.length - 1)).toBe(columns)
  }
  expect(grid.flatMap(({ cells }) => cells.map(({ name }) => name))).toContain(focus)
})

test.each([
  [1, 80, 22, [1]],
  [2, 80, 22, [2]],
  [4, 80, 22, [2, 2]],
  [4, 200, 58, [2, 2]],
  [7, 200, 58, [3, 3, 1]],
  [8, 200, 58, [3, 3, 2]],
  [3, 40, 22, [1, 1, 1]],
])('%i panes in %i × %i stand in rows of %j', (count, columns, rows, shape) => {
  expect(gridOf(names(count), 'm1', { columns, rows }).map(({ cells }) => cells.length)).toEqual(shape)
})

test('more than fit are shown page by page', () => {
  const shown = (focus: string) =>
    gridOf(names(9), focus, { columns: 80, rows: 12 }).flatMap(({ cells }) => cells.map(({ name }) => name))
  expect([shown('m1'), shown('m5'), shown('m9')]).toEqual([['m1', 'm2', 'm3', 'm4'], ['m5', 'm6', 'm7', 'm8'], ['m9']])
})
