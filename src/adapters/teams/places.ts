import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node } from 'yaml'

/** A way into a document: map keys and list indexes. */
export type KeyPath = readonly (string | number)[]

/** 1-based. */
export interface TextPlace {
  readonly line: number
  readonly column: number
  /** Where there is no text: the key path. */
  readonly path?: string
  /** Where the value was not written in the file that is read: what wrote it. */
  readonly file?: string
}

/** A value that is judged, and the way back from a path in it to a place. */
export interface PlacedValue {
  readonly file: string
  readonly value: unknown
  place(path: KeyPath, part?: 'key' | 'value'): TextPlace
}

/** A text of a list and where it stands. */
export interface PlacedText extends TextPlace {
  readonly text: string
}

/** A document with the counter that saw its text. */
export interface Located {
  readonly doc: Document
  readonly lines: LineCounter
}

export const start: TextPlace = { line: 1, column: 1 }

/** `coordinator.gather.wait`, `workers.writer.tools[1]`; the root is called `the file`. */
export function pathText(path: KeyPath): string {
  const text = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`)).join('')
  return text === '' ? 'the file' : text.replace(/^\./, '')
}

/** The value at a path, `undefined` where the path leads nowhere. */
export function valueAt(value: unknown, path: KeyPath): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  )
}

function isRecord(value: unknown): value is Record<string | number, unknown> {
  return typeof value === 'object' && value !== null
}

/**
 * Where a path stands in a YAML document. A path that leads nowhere gives the deepest part of it that exists.
 *
 * @param part `key` points at the key of a pair, `value` at what stands behind it
 */
export function findPlace({ doc, lines }: Located, path: KeyPath, part: 'key' | 'value'): TextPlace {
  let value: Node | null = doc.contents
  let key: Node | null = null
  for (const segment of path) {
    const next = child(isAlias(value) ? (value.resolve(doc) ?? null) : value, segment)
    if (!next) return placeOf(key ?? (path.length === 1 ? null : value), lines)
    ;[key, value] = next
  }
  return placeOf(part === 'key' ? (key ?? value) : (value ?? key), lines)
}

function child(node: Node | null, segment: string | number): [key: Node | null, value: Node | null] | undefined {
  if (isMap<Node, Node | null>(node)) {
    const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(segment))
    return pair && [pair.key, pair.value]
  }
  if (isSeq<Node>(node) && typeof segment === 'number') {
    const item = node.items[segment]
    return item && [null, item]
  }
  return undefined
}

/** Every text in the lists that a path of keys leads to, repeated keys followed each. Aliases lead nowhere. */
export function textsAt({ doc, lines }: Located, path: KeyPath): readonly PlacedText[] {
  let reached: readonly (Node | null)[] = [doc.contents]
  for (const key of path) {
    const pairs = reached.flatMap((node) => (isMap<Node, Node | null>(node) ? node.items : []))
    reached = pairs.flatMap((pair) =>
      isScalar(pair.key) && String(pair.key.value) === String(key) ? [pair.value] : [],
    )
  }
  const items = reached.flatMap((node) => (isSeq<Node>(node) ? node.items : []))
  return items.flatMap((item) =>
    isScalar(item) && typeof item.value === 'string' ? [{ text: item.value, ...placeOf(item, lines) }] : [],
  )
}

function placeOf(node: Node | null, lines: LineCounter): TextPlace {
  return node?.range ? placeAt(node.range[0], lines) : start
}

/** Where an offset stands; a file of no lines has its mistakes at 1:1. */
export function placeAt(offset: number, lines: LineCounter): TextPlace {
  const { line, col } = lines.linePos(offset)
  return { line: Math.max(line, 1), column: Math.max(col, 1) }
}
