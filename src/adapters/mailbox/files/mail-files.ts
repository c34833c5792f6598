import { lstatSync, renameSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import { ulidSource } from '../../../protocol/words/ids.ts'
import { errorCode } from '../../fs/error-code.ts'
import { namesIn } from '../../fs/names-in.ts'
import { makeFolder } from './make-folder.ts'

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
  const folder = (of: string) => `${box}/${of}`
  return { box, tmp: folder('tmp'), new: folder('new'), cur: folder('cur'), done: folder('done'), dead: folder('dead') }
}

/** The parts of a mail file's name: `<sender>-<seq>-<ulid>.json`. */
export interface MailName {
  readonly file: string
  readonly sender: string
  readonly seq: number
  readonly id: string
}

const pattern = new RegExp(`^([a-z][a-z0-9-]*(?:-${ulidSource})?)-([1-9]\\d{0,14})-(${ulidSource})\\.json$`)

/** @example mailFile({ sender: 'lead', seq: 3, id: '01J…' }) // 'lead-3-01J….json' */
export function mailFile({ sender, seq, id }: Pick<Envelope, 'sender' | 'seq' | 'id'>): string {
  return `${sender}-${seq}-${id}.json`
}

/** @returns null for a name that no mailbox writes */
export function parseMailFile(file: string): MailName | null {
  const [, sender, seq, id] = pattern.exec(file) ?? []
  return sender === undefined || seq === undefined || id === undefined ? null : { file, sender, seq: Number(seq), id }
}

/**
 * Sorts mail into the order of delivery: each sender's mail by `seq`, senders among themselves by ULID. A ULID below an
 * earlier one of the same sender (a clock that was set back) counts as the earlier one, so the two rules never
 * contradict.
 */
export function inOrder(mail: readonly MailName[]): readonly MailName[] {
  const queues = Map.groupBy(mail, ({ sender }) => sender)
  const ranked = [...queues.values()].flatMap((queue) => {
    let rank = ''
    return queue
      .toSorted((a, b) => a.seq - b.seq || compare(a.id, b.id))
      .map((name) => ({ name, rank: (rank = name.id > rank ? name.id : rank) }))
  })
  if (queues.size > 1)
    ranked.sort((a, b) => compare(a.rank, b.rank) || compare(a.name.sender, b.name.sender) || a.name.seq - b.name.seq)
  return ranked.map(({ name }) => name)
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * Lists `new/` in the order of delivery; names that are no mail come last, to be set aside.
 *
 * A listing that runs while senders write may show a sender's fifth mail without its fourth, which was there before. The
 * second listing shows the fourth for certain, so delivery goes up to the highest numbers of the first listing.
 * @param list lists the folder
 */
export function listMail(list: () => readonly string[]): readonly string[] {
  const first = list()
  if (first.length === 0) return []
  const mail = first.flatMap((file) => parseMailFile(file) ?? [])
  const horizon = new Map<string, number>()
  for (const { sender, seq } of mail) horizon.set(sender, Math.max(seq, horizon.get(sender) ?? 0))
  const seen = new Set(first)
  for (const file of list()) {
    const late = seen.has(file) ? null : parseMailFile(file)
    if (late && late.seq < (horizon.get(late.sender) ?? 0)) mail.push(late)
  }
  const other = first.filter((file) => parseMailFile(file) === null)
  return [...inOrder(mail).map(({ file }) => file), ...other]
}

/** All files under `cur/`, with their claim folders. */
export function claimedIn(folders: MailFolders): readonly { readonly claim: string; readonly file: string }[] {
  return namesIn(folders.cur).flatMap((claim) => namesIn(`${folders.cur}/${claim}`).map((file) => ({ claim, file })))
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
    if (!isThere(from)) return false
    if (occupied.has(code)) makeRoom(to)
    else if (code === 'ENOENT') makeFolder(dirname(to))
    else throw error
    renameSync(from, to)
    return true
  }
}

/** Bytes of a name that leave room for a number after it. */
const longestName = 200

function makeRoom(path: string): void {
  const name = Buffer.from(basename(path))
    .subarray(0, longestName)
    .toString('utf8')
    .replace(/\uFFFD+$/, '')
  const free = `${dirname(path)}/${name}`
  let n = 1
  while (isThere(`${free}.${n}`)) n += 1
  renameSync(path, `${free}.${n}`)
}

/** Whether a path exists; a link exists wherever it leads. */
function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}
