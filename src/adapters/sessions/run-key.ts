import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'

const bytes = 32

/**
 * Makes the secret that signs the mail of one run: `~/.troupe/keys/<run>`, readable by its owner only. It lies outside
 * the run directory, so a copy of a run carries no key, and no tool of an agent may read it.
 * Throws what the disk says, `EEXIST` when the run has a key.
 * @param home the user's directory
 */
export function makeRunKey(home: string, run: string): void {
  const folder = keysFolder(home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const text = `${randomBytes(bytes).toString('hex')}\n`
  writeFileSync(join(folder, run), text, { mode: 0o600, flag: 'wx' })
}

/**
 * The secret of a run, for whoever signs or checks its mail. It must never reach a journal, a message or a child.
 * @throws an error that names the file, never what is in it
 */
export function readRunKey(home: string, run: string): Buffer {
  const file = join(keysFolder(home), run)
  const key = Buffer.from(readText(file), 'hex')
  if (key.length !== bytes) throw new Error(`${file} is no key of a run`)
  return key
}

function keysFolder(home: string): string {
  return join(home, '.troupe', 'keys')
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new Error(`the key that signs this run's mail cannot be read: ${file} (${errorCode(error) ?? 'unknown'})`, {
      cause: error,
    })
  }
}
