import { plainLine } from '../../text/plain-text.ts'
import { padWidth, widthOf } from '../../text/fit-width.ts'

/**
 * Rows under a head, columns as wide as their widest cell; what is in the cells is made safe to print.
 *
 * `table(['RUN', 'STATE'], [['notes-01J…', 'running']])`
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map(plainLine))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const lines = all.map((row) => row.map((cell, column) => padWidth(cell, widths[column] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}
