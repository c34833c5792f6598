import { lstatSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { isAlive, ownProcess } from '../../process/liveness.ts'
import { parseMailFile } from '../files/mail-file.ts'
import { move, type MailFolders } from '../files/mail-folders.ts'
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
 */
export function recoverClaims(folders: MailFolders, log: Judgements, step: WatchSteps): void {
  for (const claim of namesIn(folders.cur)) {
    if (isHeldElsewhere(claim)) continue
    const folder = join(folders.cur, claim)
    // A file or a link is no claim: it is judged in `new/`.
    if (!isFolder(folder)) {
      move(folder, join(folders.new, claim))
      continue
    }
    for (const file of namesIn(folder)) {
      move(join(folder, file), join(folders[placeOf(file, log)], file))
      step('reconciled.one')
    }
    removeFolder(folder)
  }
}

function placeOf(file: string, log: Judgements): 'done' | 'dead' | 'new' {
  const name = parseMailFile(file)
  if (name && log.received(name.id)) return 'done'
  return log.died(file) ? 'dead' : 'new'
}

function isHeldElsewhere(claim: string): boolean {
  const [, pid, started] = /^(\d+)\.(\d+)$/.exec(claim) ?? []
  return claim !== ownClaim() && pid !== undefined && isAlive(Number(pid), Number(started))
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Removes a claim folder unless a file came into it meanwhile: the next call moves that. */
function removeFolder(folder: string): void {
  try {
    rmdirSync(folder)
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(code)) throw error
  }
}
