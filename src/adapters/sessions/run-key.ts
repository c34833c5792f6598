import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { syncFile, syncFolder } from '../fs/sync.ts'

const bytes = 32

/** A run directory may be away for a while, on a disk that is not mounted: so long its key waits for it. */
const patienceMs = 30 * 24 * 3_600_000

/**
 * Makes the secret that signs the mail of one run: `~/.troupe/keys/<run>`, readable by its owner only. It lies outside
 * the run directory, so a copy of a run carries no key, and no tool of an agent may read it. Its second line says where
 * the run is: `forgetRunKeys` goes by that.
 * Throws what the disk says, `EEXIST` when the run has a key.
 * @param home the user's directory
 * @param dir the run directory; its last part is the run
 */
export function makeRunKey(home: string, dir: string): void {
  const folder = keysFolder(home)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  chmodSync(folder, 0o700)
  const text = `${randomBytes(bytes).toString('hex')}\n${dir}\n`
  writeFileSync(join(folder, basename(dir)), text, { mode: 0o600, flag: 'wx' })
}

/** Puts the key of a run on the disk, with the names that lead to it. */
export function syncRunKey(home: string, run: string): void {
  const folder = keysFolder(home)
  syncFile(join(folder, run))
  for (const named of [folder, dirname(folder), home]) syncFolder(named)
}

/** Ends the key of a run that never was. */
export function removeRunKey(home: string, run: string): void {
  rmSync(join(keysFolder(home), run), { force: true })
}

/**
 * Removes the keys of runs whose directory is gone, 30 days after they were made. A run that is still there keeps its
 * key however old it is: it may be run on, and the mail in it still counts.
 * @returns the runs whose keys were removed
 */
export function forgetRunKeys(home: string, now: number): readonly string[] {
  const folder = keysFolder(home)
  const gone = existsSync(folder) ? readdirSync(folder).filter((run) => isForgotten(join(folder, run), now)) : []
  for (const run of gone) removeRunKey(home, run)
  return gone
}

/** A key file that cannot be read, or does not name its run, stays. */
function isForgotten(file: string, now: number): boolean {
  try {
    if (now - statSync(file).mtimeMs < patienceMs) return false
    const dir = readFileSync(file, 'utf8').split('\n')[1] ?? ''
    return dir !== '' && !existsSync(dir)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
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
    return readFileSync(file, 'utf8').split('\n', 1)[0] ?? ''
  } catch (error) {
    throw new Error(`the key that signs this run's mail cannot be read: ${file} (${errorCode(error) ?? 'unknown'})`, {
      cause: error,
    })
  }
}
