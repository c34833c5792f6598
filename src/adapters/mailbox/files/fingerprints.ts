import { hash } from 'node:crypto'

/**
 * A set of texts that remembers six bytes of each: millions fit into memory and into a checkpoint. Two texts are taken for
 * one with a probability of one to 10⁸ at a million texts.
 */
export interface Fingerprints {
  /** A table with free places, which are 0. */
  table: Float64Array
  count: number
}

export function noFingerprints(): Fingerprints {
  return { table: new Float64Array(16), count: 0 }
}

export function hasFingerprint({ table }: Fingerprints, text: string): boolean {
  return table[placeOf(table, fingerprint(text))] !== 0
}

export function addFingerprint(set: Fingerprints, text: string): void {
  if (set.count * 4 >= set.table.length * 3) grow(set)
  if (insert(set.table, fingerprint(text))) set.count += 1
}

function grow(set: Fingerprints): void {
  const table = new Float64Array(set.table.length * 2)
  for (const value of set.table) if (value !== 0) insert(table, value)
  set.table = table
}

function insert(table: Float64Array, value: number): boolean {
  const place = placeOf(table, value)
  if (table[place] === value) return false
  table[place] = value
  return true
}

/** The place of a value, or the free one where it belongs. */
function placeOf(table: Float64Array, value: number): number {
  let place = value % table.length
  while (table[place] !== 0 && table[place] !== value) place = (place + 1) % table.length
  return place
}

/** Not 0. */
function fingerprint(text: string): number {
  return hash('sha256', text, 'buffer').readUIntBE(0, 6) + 1
}
