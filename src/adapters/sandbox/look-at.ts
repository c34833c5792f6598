import { lstatSync, statSync } from 'node:fs'
import { readPlainFile } from '../fs/plain-file.ts'
import { resolveReal } from '../fs/resolve-real.ts'

export function statOrNull(path: string) {
  try {
    return statSync(path)
  } catch {
    return null
  }
}

/** A link itself; null also below a file. */
export function linkStatOrNull(path: string) {
  try {
    return lstatSync(path)
  } catch {
    return null
  }
}

export function isThere(path: string): boolean {
  return linkStatOrNull(path) !== null
}

/** Null where links form a circle: nothing is there. */
export function realPlace(path: string): string | null {
  try {
    return resolveReal(path)
  } catch {
    return null
  }
}

/** Null for what is no plain file: nobody waits on a pipe. */
export function plainFileText(path: string): string | null {
  try {
    const read = readPlainFile(path)
    return 'text' in read ? read.text : null
  } catch {
    return null
  }
}
