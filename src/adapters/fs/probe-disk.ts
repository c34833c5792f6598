import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pid } from 'node:process'
import { errorCode } from './error-code.ts'

/** More than a few journal lines or an order take. */
const probe = Buffer.alloc(64 * 1024)

/**
 * Writes a file of 64 KiB into a folder and removes it again; returns the disk's refusal, or null when the disk takes
 * the file.
 *
 * @example probeDisk(run.dir) // Error: ENOSPC: no space left on device, write
 */
export function probeDisk(folder: string): Error | null {
  const file = join(folder, `.unfinished-probe-${pid}`)
  try {
    writeFileSync(file, probe, { mode: 0o600 })
    return null
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error
    return error
  } finally {
    rmSync(file, { force: true })
  }
}
