import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { plainLine } from '../../text/plain-text.ts'
import { padWidth, widthOf } from '../../text/terminal-text.ts'
import { print, printJson, type Flags, type Host } from '../host/host.ts'

/** With fewer columns a text says nothing. */
const narrowest = 12

/**
 * Rows under a head, columns as wide as their widest cell; what is in the cells is made safe to print.
 * @param screen columns of the terminal: texts of the last column are cut where a row would wrap; a pipe has none
 *
 * @example table(['RUN', 'STATE'], [['notes-01J…', 'running']], host.stdout.columns)
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[], screen = Infinity): string {
  const all = [head, ...rows.map((row) => row.map(plainLine))]
  const widths = head.map((_, column) => Math.max(...all.map((row) => widthOf(row[column] ?? ''))))
  const last = widths.pop() ?? 0
  const used = widths.reduce((sum, width) => sum + width + 2, 0)
  widths.push(Math.min(last, Math.max(narrowest, screen - used)))
  const lines = all.map((row) => row.map((cell, column) => padWidth(cell, widths[column] ?? 0)).join('  '))
  return `${lines.map((line) => line.trimEnd()).join('\n')}\n`
}

/** Things of one kind, and how each is shown in a line. */
interface List<Item> {
  readonly items: readonly Item[]
  readonly head: readonly string[]
  row(item: Item): readonly string[]
  /** The sentence for an empty list. */
  readonly none: string
  /** On a terminal the texts of the last column are cut; `--json`, or another command, shows them whole. */
  readonly isCut?: boolean
}

/** Prints a list as one JSON document or as a table; that it is empty is said where it is in no pipe's way. */
export async function printList<Item>(list: List<Item>, { json }: Flags<'json'>, host: Host): Promise<ExitCode> {
  const { items, head, row, none, isCut = false } = list
  if (json) await printJson(host.stdout, items)
  else if (items.length === 0) await print(host.stderr, `${none}\n`)
  else await print(host.stdout, table(head, items.map(row), isCut ? host.stdout.columns : undefined))
  return exitCodes.done
}
