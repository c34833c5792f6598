import { existsSync, lstatSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn as listed } from '../../fs/names-in.ts'
import { syncFolder } from '../../fs/sync-folder.ts'
import { makeFolder, withFolder, type Durability } from './durable.ts'
import { parseMailFile } from './mail-file.ts'

/** The folders of one mailbox. */
export interface MailFolders {
  /** Which holds all others. */
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
 * Makes what is missing of the folders that every mail passes, those of a box that nobody wrote to before all at once: each
 * that is missed when it is first needed costs more than to make it. `tmp` comes last: where it is, the others are, for good.
 */
export function makeBox({ box, cur, done, new: unread, tmp }: MailFolders, durability: Durability): void {
  makeFolder(box, durability)
  for (const folder of [cur, done, unread]) makeFolder(folder)
  if (durability === 'power') syncFolder(box)
  makeFolder(tmp)
}

/** Names in a folder; what is not there, or no folder, has none. Most boxes are empty: asking is cheaper than failing. */
export function mailNamesIn(folder: string): readonly string[] {
  return existsSync(folder) ? listed(folder) : []
}

/** The same for a folder that is listed again and again: once it was there it is asked for no more. */
export function listing(folder: string): () => readonly string[] {
  let wasThere = false
  return () => {
    wasThere ||= existsSync(folder)
    return wasThere ? listed(folder) : []
  }
}

/** Every file under `cur/`, with the claim folder it lies in. */
export function claimedIn(folders: MailFolders): readonly { readonly claim: string; readonly file: string }[] {
  return mailNamesIn(folders.cur).flatMap((claim) => listed(join(folders.cur, claim)).map((file) => ({ claim, file })))
}

/**
 * How much mail a member has that is not in its journal yet: what lies in `new/` and `cur/`. Anyone may ask.
 * @example undelivered(run.mail, 'historian') // 0
 */
export function undelivered(dir: string, name: string): number {
  const folders = mailFolders(dir, name)
  return mailNamesIn(folders.new).length + claimedIn(folders).length
}

/** Who wrote the mail that a member has not taken in yet; a name that no mailbox writes is nobody's. */
export function sendersTo(dir: string, name: string): readonly string[] {
  return mailNamesIn(mailFolders(dir, name).new).map((file) => parseMailFile(file)?.sender ?? '')
}

/** What the disk says where a rename would have to replace a folder, or something by a folder: it replaces files only. */
const occupied = new Set(['ENOTEMPTY', 'EEXIST', 'EISDIR', 'ENOTDIR'])

/**
 * Moves a file, or whatever lies there instead of one. The target's folder is made when it is missing; what no rename
 * can replace makes room under another name.
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

/** A link is there wherever it leads. */
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
