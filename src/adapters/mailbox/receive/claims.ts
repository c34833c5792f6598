import { lstatSync, rmdirSync, unlinkSync } from 'node:fs'
import { decodeTime } from 'ulid'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { isAlive, ownProcess } from '../../process/liveness.ts'
import { move, parseMailFile, type MailFolders } from '../files/mail-files.ts'
import type { WatchSteps } from '../files/mail-step.ts'
import type { MailLog } from '../files/mail-log.ts'

/** The name of this process' claims under `cur/`: `<pid>.<start>`. */
export function ownClaim(): string {
  const { pid, started } = ownProcess()
  return `${pid}.${started}`
}

/**
 * Clears `cur/` of the claims of dead processes, and of earlier owners in this one: mail that the owner's journal has
 * goes to `done/` or `dead/`, other mail back to `new/`. Claims of other living processes stay.
 */
export function recoverClaims(folders: MailFolders, log: Pick<MailLog, 'received' | 'died'>, step?: WatchSteps): void {
  for (const claim of namesIn(folders.cur)) {
    if (isHeldElsewhere(claim)) continue
    const folder = `${folders.cur}/${claim}`
    // A file or a link is no claim: it is judged in `new/`.
    if (!lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
      move(folder, `${folders.new}/${claim}`)
      continue
    }
    for (const file of namesIn(folder)) {
      move(`${folder}/${file}`, `${folders[placeOf(file, log)]}/${file}`)
      step?.('reconciled.one')
    }
    // A folder that a file came into meanwhile stays for the next call.
    unless(['ENOENT', 'ENOTEMPTY', 'EEXIST'], () => rmdirSync(folder))
  }
}

function placeOf(file: string, log: Pick<MailLog, 'received' | 'died'>): 'done' | 'dead' | 'new' {
  const name = parseMailFile(file)
  if (name && log.received(name.id)) return 'done'
  return log.died(file) ? 'dead' : 'new'
}

function isHeldElsewhere(claim: string): boolean {
  const [, pid, started] = /^(\d+)\.(\d+)$/.exec(claim) ?? []
  return claim !== ownClaim() && pid !== undefined && isAlive(Number(pid), Number(started))
}

/** The part of the read mail that stays for people to look at. */
export interface Keep {
  readonly count: number
  readonly ms: number
}

export const defaultKeep: Keep = { count: 1_000, ms: 7 * 24 * 3_600_000 }

/**
 * Bounds `done/`: the `count` newest files stay, none older than `ms`. Acked mail is in the journal for good; its files
 * are an archive.
 */
export function pruneArchive(folder: string, { count, ms }: Keep, now: number): void {
  const newestFirst = namesIn(folder)
    .flatMap((file) => parseMailFile(file) ?? [])
    .toSorted((a, b) => (a.id > b.id ? -1 : 1))
  for (const [index, { file, id }] of newestFirst.entries()) {
    if (index >= count || decodeTime(id) < now - ms) unless(['ENOENT'], () => unlinkSync(`${folder}/${file}`))
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
