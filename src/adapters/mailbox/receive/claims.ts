import { isUtf8 } from 'node:buffer'
import { createHash } from 'node:crypto'
import { accessSync, constants, lstatSync, readdirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs'
import { decodeTime } from 'ulid'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { isAlive, ownProcess } from '../../process/liveness.ts'
import { move, parseMailFile, type MailFolders } from '../files/mail-files.ts'
import type { WatchSteps } from '../files/mail-step.ts'
import type { MailLog } from '../files/mail-log.ts'

type Judgements = Pick<MailLog, 'received' | 'died'>

/** The name of this process' claims under `cur/`: `<pid>.<start>`. */
export function ownClaim(): string {
  const { pid, started } = ownProcess()
  return `${pid}.${started}`
}

/**
 * Clears `cur/` of the claims of dead processes, and of earlier owners in this one: mail that the owner's journal has
 * goes to `done/` or `dead/`, other mail back to `new/`. Claims of other living processes stay.
 * @returns whether nothing is left to do; what the disk refuses stays for the next call
 */
export function recoverClaims(folders: MailFolders, log: Judgements, step?: WatchSteps): boolean {
  let isDone = true
  const attempt = (act: () => void): void => {
    if (!succeeds(act)) isDone = false
  }
  for (const claim of namesIn(folders.cur)) {
    if (isHeldElsewhere(claim)) continue
    const folder = `${folders.cur}/${claim}`
    // A file or a link is no claim: it is judged in `new/`.
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      attempt(() => move(folder, `${folders.new}/${claim}`))
      continue
    }
    for (const file of namesIn(folder)) {
      attempt(() => move(`${folder}/${file}`, `${folders[placeOf(file, log)]}/${file}`))
      step?.('reconciled.one')
    }
    // A folder that is not empty stays for the next call: a file came meanwhile, or could not be moved.
    attempt(() => unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(folder)))
  }
  return isDone
}

function placeOf(file: string, log: Judgements): 'done' | 'dead' | 'new' {
  const name = parseMailFile(file)
  if (name && log.received(name.id)) return 'done'
  return log.died(file) ? 'dead' : 'new'
}

/** The claims of other living processes that hold files: whoever owns the box now cannot take those. */
export function claimsElsewhere({ cur }: MailFolders): readonly string[] {
  return namesIn(cur)
    .filter(isHeldElsewhere)
    .map((claim) => `${cur}/${claim}`)
    .filter((folder) => namesIn(folder).length > 0)
}

export function isHeldElsewhere(claim: string): boolean {
  const [, pid, started] = /^(\d+)\.(\d+)$/.exec(claim) ?? []
  return claim !== ownClaim() && pid !== undefined && isAlive(Number(pid), Number(started))
}

/** Whether a listed name stands for bytes that are no UTF-8: no path leads to them. */
export function isUnnamable(file: string): boolean {
  return file.includes('\uFFFD')
}

/** Gives files whose names are no UTF-8 a name that a path can hold, where the disk lets it. */
export function nameUnnamable(folder: string): void {
  for (const name of readdirSync(folder, 'buffer')) {
    if (isUtf8(name)) continue
    const path = Buffer.concat([Buffer.from(`${folder}/`), name])
    const hash = createHash('sha256').update(name).digest('hex')
    succeeds(() => renameSync(path, `${folder}/not-utf8-${hash.slice(0, 16)}`))
  }
}

/** Error codes of a disk, or of a process, that is in trouble as a whole. */
const ofWhole = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EMFILE', 'ENFILE', 'ENOMEM'])

/** Whether a rename failed for its entry alone; else every other one would fail as well. */
export function isOfEntry(error: unknown, folders: MailFolders): error is Error {
  const code = errorCode(error)
  if (code === undefined || ofWhole.has(code) || !(error instanceof Error)) return false
  const mode = constants.W_OK | constants.X_OK
  return succeeds(() => accessSync(folders.new, mode)) && succeeds(() => accessSync(folders.cur, mode))
}

/** The part of the read mail that stays for people to look at. */
export interface Keep {
  readonly count: number
  readonly ms: number
}

export const defaultKeep: Keep = { count: 1_000, ms: 7 * 24 * 3_600_000 }

/** Acked files between two looks at the size of the archive. */
const slack = 256

/**
 * Bounds `done/` or `dead/`: the `count` newest files stay, none older than `ms`. The journal has acked mail, and the death of
 * the other, for good; the files are an archive.
 * @returns counts files that came there, and prunes once so many came that listing is worth it
 */
export function openArchive(folder: string, keep: Keep, now: () => number): (more: number) => void {
  const prune = () => succeeds(() => pruneArchive(folder, keep, now()))
  let acked = 0
  prune()
  return (more) => {
    acked += more
    if (acked < slack) return
    acked = 0
    prune()
  }
}

function pruneArchive(folder: string, { count, ms }: Keep, now: number): void {
  const newestFirst = namesIn(folder)
    .flatMap((file) => parseMailFile(file) ?? [])
    .toSorted((a, b) => (a.id > b.id ? -1 : 1))
  for (const [index, { file, id }] of newestFirst.entries()) {
    if (index >= count || decodeTime(id) < now - ms) unless(['ENOENT'], () => unlinkSync(`${folder}/${file}`))
  }
}

/** Whether `act` went through; what the disk refuses is done later. */
export function succeeds(act: () => void): boolean {
  try {
    act()
    return true
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return false
  }
}

/** Does `act` unless the disk says one of these: another process was faster. */
function unless(codes: readonly string[], act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!codes.includes(errorCode(error) ?? '')) throw error
  }
}
