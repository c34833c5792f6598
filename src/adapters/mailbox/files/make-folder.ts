import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import type { durabilities } from '../../../protocol/team/mail-policy.ts'
import { errorCode } from '../../fs/error-code.ts'
import { syncFolder } from '../../fs/sync.ts'

/** The death that confirmed mail survives: that of any process, or a power cut as well. */
export type Durability = (typeof durabilities)[number]

/** Makes a folder and those above it. The recursive call of Node would hide why the disk refuses (a read-only one). */
export function makeFolder(folder: string, durability: Durability = 'process'): void {
  if (!isMade(folder)) {
    makeFolder(dirname(folder), durability)
    if (!isMade(folder)) throw new Error(`${folder} cannot be made: the folder above it goes away`)
  }
  if (durability === 'power') syncFolder(dirname(folder))
}

/** Returns false when the folder above is missing too. */
function isMade(folder: string): boolean {
  try {
    mkdirSync(folder, { mode: 0o700 })
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return true
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error
    return false
  }
}
