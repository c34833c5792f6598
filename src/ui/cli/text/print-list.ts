import { print, printJson, type Host } from '../host/host.ts'
import { table } from './table.ts'

/** Things of one kind, and how each is shown in a line. */
export interface List<Item> {
  readonly items: readonly Item[]
  readonly head: readonly string[]
  row(item: Item): readonly string[]
  /** The sentence for an empty list. */
  readonly none: string
}

/** Prints a list as one JSON document or as a table; that it is empty is said where it is in no pipe's way. */
export async function printList<Item>(list: List<Item>, json: true | undefined, host: Host): Promise<void> {
  const { items, head, row, none } = list
  if (json) await printJson(host.stdout, items)
  else if (items.length === 0) await print(host.stderr, `${none}\n`)
  else await print(host.stdout, table(head, items.map(row)))
}
