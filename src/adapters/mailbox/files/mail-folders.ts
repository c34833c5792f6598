import { lstatSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { namePattern } from '../../../protocol/words/ids.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { syncFolder } from '../../fs/sync.ts'
import { makeFolder, withFolder, type Durability } from './durable.ts'
import { parseMailFile } from './mail-file.ts'

/** The folders of one mailbox. */
export interface MailFolders {
  /** The folder that holds all others. */
  readonly box: string
  readonly tmp: string
  readonly new: string
  readonly cur: string
  readonly done: string
  readonly dead: string
}

/** @param dir `<run>/mail` */
export function mailFolders(dir: string, name: string): MailFolders {
  const box = `${dir}/${name}`
  return {
    box,
    tmp: `${box}/tmp`,
    new: `${box}/new`,
    cur: `${box}/cur`,
    done: `${box}/done`,
    dead: `${box}/dead`,
  }
}

/**
 * Makes the folders that every mail passes. `tmp` comes last: where `tmp` is, the others are, for good.
 */
export function makeBox({ box, cur, done, new: unread, tmp }: MailFolders, durability: Durability): void {
  makeFolder(box, durability)
  for (const folder of [cur, done, unread]) makeFolder(folder)
  if (durability === 'power') syncFolder(box)
  makeFolder(tmp)
}

/** All files under `cur/`, with their claim folders. */
export function claimedIn(folders: MailFolders): readonly { readonly claim: string; readonly file: string }[] {
  return namesIn(folders.cur).flatMap((claim) => namesIn(join(folders.cur, claim)).map((file) => ({ claim, file })))
}

/**
 * Counts a member's mail that is not in its journal yet, in `new/` and `cur/`. Any process may ask.
 * @example undelivered(run.mail, 'historian') // 0
 */
export function undelivered(dir: string, name: string): number {
  const folders = mailFolders(dir, name)
  return namesIn(folders.new).length + claimedIn(folders).length
}

/** The writers of a member's unread mail, '' for a file that no mailbox wrote. */
export function sendersTo(dir: string, name: string): readonly string[] {
  return namesIn(mailFolders(dir, name).new).map((file) => parseMailFile(file)?.sender ?? '')
}

/** Where a mail is on its way: in `new/`, in `cur/`, in the recipient's journal, set aside, or nowhere to be found. */
export type MailState = 'written' | 'claimed' | 'acked' | 'dead' | 'unknown'

/**
 * Looks a mail up in its recipient's box, in the order in which mail moves.
 * @param dir `<run>/mail`
 * @param to the recipient's name
 */
export function mailState(dir: string, to: string, id: string): MailState {
  if (!namePattern.test(to)) return 'unknown'
  const folders = mailFolders(dir, to)
  const isIt = (file: string) => file.endsWith(`-${id}.json`)
  if (namesIn(folders.new).some(isIt)) return 'written'
  if (claimedIn(folders).some(({ file }) => isIt(file))) return 'claimed'
  if (namesIn(folders.done).some(isIt)) return 'acked'
  return namesIn(folders.dead).some(isIt) ? 'dead' : 'unknown'
}

/** Error codes of a rename onto a folder, or of a folder onto a file: a rename replaces files only. */
const occupied = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR'])

/**
 * Moves a file, or a folder in its place. A missing target folder is made; a target that no rename can replace is
 * renamed first.
 * @returns false when the file was no longer there
 */
export function move(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    const code = errorCode(error) ?? ''
    if (occupied.has(code)) makeRoom(to)
    else if (code !== 'ENOENT') throw error
    return isThere(from) && moveIntoNew(from, to)
  }
}

function makeRoom(path: string): void {
  let n = 1
  while (isThere(`${path}.${n}`)) n += 1
  renameSync(path, `${path}.${n}`)
}

/** Whether a path exists; a link exists wherever it leads. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function moveIntoNew(from: string, to: string): boolean {
  try {
    withFolder(dirname(to), () => renameSync(from, to))
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !isThere(from)) return false
    throw error
  }
}
