import { existsSync, linkSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import { errorCode } from '../../fs/error-code.ts'
import { syncFolder } from '../../fs/sync.ts'
import { withFolder, writeWhole, type Durability } from '../files/durable.ts'
import { mailFile } from '../files/mail-file.ts'
import { claimedIn, mailFolders, makeBox, type MailFolders } from '../files/mail-folders.ts'
import type { WatchSteps } from '../files/mail-step.ts'

export interface PostOptions {
  /** `<run>/mail`. */
  readonly dir: string
  readonly durability: Durability
  readonly step: WatchSteps
  /** Hears of each envelope whose file is there, also when the disk refuses a later one. */
  readonly appeared?: (envelope: Envelope) => void
}

/**
 * Puts envelopes into their recipients' `new/`, in order: written whole in `tmp/`, then linked, so that each appears at
 * once or not at all, and never twice. In `power` the files are on the disk before they appear, and their names before
 * the call returns, with one sync per folder.
 * @throws the disk's own errors; an envelope that was not linked is not there
 */
export function post(envelopes: readonly Envelope[], options: PostOptions): void {
  const folders = new Set<string>()
  try {
    for (const envelope of envelopes) {
      folders.add(postOne(envelope, options))
      options.appeared?.(envelope)
    }
  } finally {
    // Files that appeared before an error are synced too: they are not written again.
    if (options.durability === 'power') for (const folder of folders) syncFolder(folder)
  }
}

/** @returns the folder of the new file */
function postOne(envelope: Envelope, { dir, durability, step }: PostOptions): string {
  const { folders, draft, file } = placeOf(dir, envelope)
  try {
    if (!existsSync(folders.tmp)) makeBox(folders, durability)
    writeWhole(draft, `${JSON.stringify(envelope)}\n`, durability)
    step('tmp.written')
    withFolder(folders.new, () => linkOnce(draft, file), durability)
    step('new.linked')
  } finally {
    discard(draft)
  }
  return folders.new
}

/** Removes the draft that a kill after the link left in `tmp/`. */
export function tidyDraft(dir: string, envelope: Envelope): void {
  discard(placeOf(dir, envelope).draft)
}

/** Removes a draft; one that stays behind does no harm. */
function discard(draft: string): void {
  try {
    unlinkSync(draft)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}

/** Whether the file of an envelope lies anywhere in its recipient's box. */
export function wasPosted(dir: string, envelope: Envelope): boolean {
  const folders = mailFolders(dir, memberName(envelope.to))
  const file = mailFile(envelope)
  return isIn(folders, file) || claimedIn(folders).some((claimed) => claimed.file === file)
}

interface Place {
  readonly folders: MailFolders
  readonly draft: string
  readonly file: string
}

function placeOf(dir: string, envelope: Envelope): Place {
  const folders = mailFolders(dir, memberName(envelope.to))
  const name = mailFile(envelope)
  return { folders, draft: `${folders.tmp}/${name}`, file: `${folders.new}/${name}` }
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
