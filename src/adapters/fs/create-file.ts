import { linkSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pid } from 'node:process'
import { threadId } from 'node:worker_threads'
import { errorCode } from './error-code.ts'

let drafts = 0

/**
 * Makes a file of its owner alone, whole or not at all: no reader sees a part of it, and of two makers one counts. The directory
 * must exist.
 *
 * @returns false when somebody else made the file first; the file is then as it was
 * @throws The error of the file system
 * @example createFile('/run/permissions/hand-7-1.answer.json', JSON.stringify(answer))
 */
export function createFile(path: string, text: string): boolean {
  drafts += 1
  const draft = join(dirname(path), `.unfinished-${pid}-${threadId}-${drafts}`)
  try {
    writeFileSync(draft, text, { mode: 0o600 })
    linkSync(draft, path)
    return true
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}
