import { existsSync, linkSync, rmSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Envelope } from '../../protocol/envelope.ts'
import { memberName } from '../../protocol/ids.ts'
import { errorCode } from '../fs/error-code.ts'
import { mailFile } from './mail-file.ts'
import type { WatchSteps } from './mail-step.ts'
import { claimedIn, mailFolders, withFolder, type MailFolders } from './mail-folders.ts'

/**
 * Puts an envelope into its recipient's `new/`: written whole in `tmp/`, then linked, so that it appears at once or
 * not at all, and never twice. Throws what the disk says; nothing is in `new/` then.
 * @param dir `<run>/mail`
 */
export function post(dir: string, envelope: Envelope, step: WatchSteps): void {
  const folders = mailFolders(dir, memberName(envelope.to))
  const file = mailFile(envelope)
  const draft = join(folders.tmp, file)
  try {
    withFolder(folders.tmp, () => writeFileSync(draft, `${JSON.stringify(envelope)}\n`, { mode: 0o600 }))
    step('tmp.written')
    withFolder(folders.new, () => linkOnce(draft, join(folders.new, file)))
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  step('new.linked')
  unlinkSync(draft)
}

/** Removes what a kill between the link and its end left in `tmp/`. */
export function tidyDraft(dir: string, envelope: Envelope): void {
  rmSync(join(mailFolders(dir, memberName(envelope.to)).tmp, mailFile(envelope)), { force: true })
}

/** Whether the file of an envelope lies anywhere in its recipient's box. */
export function wasPosted(dir: string, envelope: Envelope): boolean {
  const folders = mailFolders(dir, memberName(envelope.to))
  const file = mailFile(envelope)
  return isIn(folders, file) || claimedIn(folders).some((claimed) => claimed.file === file)
}

function isIn(folders: MailFolders, file: string): boolean {
  return [folders.new, folders.done, folders.dead].some((folder) => existsSync(join(folder, file)))
}

function linkOnce(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  }
}
