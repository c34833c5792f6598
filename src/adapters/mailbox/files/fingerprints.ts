import { hash } from 'node:crypto'

/**
 * A set of texts that remembers eight bytes of each: millions fit into memory and into a checkpoint. Among a million texts
 * two are taken for one with a probability of one to 10⁷.
 */
export interface Fingerprints {
  /** A table with free places, which are 0. */
  table: BigUint64Array
  count: number
}

export function noFingerprints(): Fingerprints {
  return { table: new BigUint64Array(16), count: 0 }
}

export function hasFingerprint({ table }: Fingerprints, text: string): boolean {
  return table[placeOf(table, fingerprint(text))] !== 0n
}

export function addFingerprint(set: Fingerprints, text: string): void {
  if (set.count * 4 >= set.table.length * 3) grow(set)
  if (insert(set.table, fingerprint(text))) set.count += 1
}

function grow(set: Fingerprints): void {
  const table = new BigUint64Array(set.table.length * 2)
  for (const value of set.table) if (value !== 0n) insert(table, value)
  set.table = table
}

function insert(table: BigUint64Array, value: bigint): boolean {
  const place = placeOf(table, value)
  if (table[place] === value) return false
  table[place] = value
  return true
}

/** The place of a value, or the free one where it belongs. */
function placeOf(table: BigUint64Array, value: bigint): number {
  let place = Number(value % BigInt(table.length))
  while (table[place] !== 0n && table[place] !== value) place = (place + 1) % table.length
  return place
}

/** Not 0. */
function fingerprint(text: string): bigint {
  return hash('sha256', text, 'buffer').readBigUInt64BE(0) || 1n
}
