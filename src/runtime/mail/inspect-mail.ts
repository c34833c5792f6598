import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { contentHash } from '../../adapters/fs/content-hash.ts'
import { errorCode } from '../../adapters/fs/error-code.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { parseMailFile, claimedIn, mailFolders, move } from '../../adapters/mailbox/files/mail-files.ts'
import type { MailState } from '../../adapters/mailbox/files/mail-state.ts'
import { readPlainFile } from '../../adapters/fs/plain-file.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { envelopeSchema, type Envelope } from '../../protocol/mail/envelope.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import { unledNote } from '../runs/leader.ts'
import { journalFile } from '../runs/read-runs.ts'

/** One file in a mailbox, as `troupe mail` shows it. */
export interface MailItem {
  /** The owner of the box. */
  readonly member: string
  readonly state: Exclude<MailState, 'unknown'>
  readonly file: string
  /** Null for a file that no mailbox wrote. */
  readonly id: string | null
  /** Null when it is no envelope. */
  readonly envelope: Envelope | null
  /** Of dead mail: why it was given up, and when it was last tried. */
  readonly reason?: string
  readonly died_at?: number
}

export interface MailFilter {
  readonly member?: string | undefined
  readonly states?: readonly MailItem['state'][]
}

/**
 * Lists the mailboxes of a run, member by member in the order of arrival. No file is touched.
 *
 * @param dir the run directory
 * @example listMail(dir, { states: ['written', 'claimed'] }) // what nobody has read yet
 */
export function mailItems(dir: string, { member, states }: MailFilter = {}): readonly MailItem[] {
  const members = member === undefined ? namesIn(join(dir, 'mail')).toSorted() : [member]
  return members.flatMap((name) => itemsOf(dir, name, states))
}

/** The files of a mail, by its id, the beginning of it, or its file name: usually one. */
export function findMail(dir: string, id: string): readonly MailItem[] {
  const wanted = id.toUpperCase()
  return mailItems(dir).filter((item) => item.file === id || (wanted.length >= 4 && item.id?.startsWith(wanted)))
}

/**
 * Puts dead mail back into its box, where it is judged again: after the reason is gone, it is delivered.
 * @returns what was put back
 */
export function requeueMail(dir: string, items: readonly MailItem[]): readonly MailItem[] {
  return items.filter((item) => {
    const { dead, new: inbox } = mailFolders(join(dir, 'mail'), item.member)
    return item.state === 'dead' && move(join(dead, item.file), join(inbox, item.file))
  })
}

/** Deletes dead mail for good; what else is said of it in the journals stays. */
export function purgeMail(dir: string, items: readonly MailItem[]): readonly MailItem[] {
  const dead = items.filter(({ state }) => state === 'dead')
  for (const { member, file } of dead) {
    rmSync(join(mailFolders(join(dir, 'mail'), member).dead, file), { recursive: true, force: true })
  }
  return dead
}

/** Why mail that was put back is not read now, or null. */
export function delayOf(dir: string): string | null {
  return unledNote(dir, readRun(dir).run)
}

/** The text of a mail, whole when it was put aside; else its beginning, and what became of the rest. */
export function wholeText(dir: string, { body, artifact }: Envelope): string {
  if (!artifact) return body
  const path = join(dir, 'artifacts', artifact.sha256)
  try {
    const bytes = readFileSync(path)
    if (contentHash(bytes) === artifact.sha256) return bytes.toString('utf8')
    return `${body}\n[The whole text was changed: ${path} is not what was sent]`
  } catch (error) {
    if (errorCode(error) === undefined || !(error instanceof Error)) throw error
    return `${body}\n[The whole text cannot be read: ${error.message}]`
  }
}

/** The names of a run's members, for whoever has to choose one; null when the directory is no run. */
export function membersOf(dir: string): readonly string[] | null {
  return readRun(dir).run?.team.members.map(({ name }) => name) ?? null
}

function itemsOf(dir: string, member: string, states: MailFilter['states']): readonly MailItem[] {
  const folders = mailFolders(join(dir, 'mail'), member)
  const place = (folder: string, state: MailItem['state']) =>
    namesIn(folder).map((file) => ({ path: join(folder, file), file, state }))
  const claimed = claimedIn(folders).map(({ claim, file }) => {
    return { path: join(folders.cur, claim, file), file, state: 'claimed' as const }
  })
  const all = [
    ...place(folders.new, 'written'),
    ...claimed,
    ...place(folders.done, 'acked'),
    ...place(folders.dead, 'dead'),
  ]
  const found = states === undefined ? all : all.filter(({ state }) => states.includes(state))
  const deaths = found.some(({ state }) => state === 'dead') ? deathsOf(dir, member) : new Map<string, never>()
  return found
    .map(({ path, file, state }): MailItem => {
      const died = state === 'dead' ? deaths.get(file) : undefined
      const id = parseMailFile(file)?.id ?? null
      const why = died ? { reason: died.reason, died_at: died.at } : {}
      return { member, state, file, id, envelope: envelopeIn(path), ...why }
    })
    .toSorted((a, b) => ((a.id ?? '') < (b.id ?? '') ? -1 : 1))
}

/** Mail that its sender took back is named in the team's journal. */
function deathsOf(dir: string, member: string): ReadonlyMap<string, EntryOf<'mail.died'>> {
  const entries = [leaderName, member].flatMap((owner) => readJournal(journalFile(dir, owner)).entries)
  return new Map(entries.flatMap((entry) => (entry.type === 'mail.died' ? [[entry.file, entry]] : [])))
}

/** The file may be moved during the look, and dead mail may hold anything. */
function envelopeIn(path: string): Envelope | null {
  try {
    const plain = readPlainFile(path)
    return 'text' in plain ? envelopeSchema.parse(JSON.parse(plain.text)) : null
  } catch {
    return null
  }
}
