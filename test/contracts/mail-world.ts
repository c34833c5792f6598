import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Doorbell } from '../../src/adapters/mailbox/watch/doorbell.ts'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox, type MailboxOptions } from '../../src/adapters/mailbox/mailbox.ts'
import { memoryJournal, openJournal, type OpenedJournal } from '../../src/adapters/sessions/journal.ts'
import type { Entry, EntryFold } from '../../src/protocol/facts/entry.ts'
import type { MailDraft } from '../../src/protocol/mail/envelope.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { wholeMailFold, type MailMemory } from '../../src/adapters/mailbox/files/mail-memory.ts'

/** A run's mail on a real disk, with a journal per owner. Opening a name again continues its journal. */
export interface MailWorld {
  readonly home: string
  readonly dir: string
  open(owner: string, more?: Partial<MailboxOptions>): Mailbox
  /** Everything under the mail folder, sorted. */
  tree(): readonly string[]
  files(owner: string, folder: string): readonly string[]
  entries(owner: string): readonly Entry[]
  deaths(owner: string): readonly FactOf<'mail.died'>[]
  received(owner: string): readonly string[]
  remove(): void
}

export const roster = ['lead', 'writer', 'historian']

/** ULIDs that only count up: `mintFrom(1)() < mintFrom(1)()`… the clock part stays the same. */
export function countingMint(start = 0): () => string {
  let count = start
  return () => `01J0000000${String((count += 1)).padStart(16, '0')}`
}

export function draft(to: string, body: string, key = body): MailDraft {
  return { to: agentId(to, 'demo'), kind: 'text', body, key }
}

export const bodies = (box: Mailbox, limit?: number) => box.receive(limit).map(({ body }) => body)

/** What an owner knows of its mail who remembers nothing. */
export const emptyLog = {
  sent: () => undefined,
  lastSent: () => [],
  lastSeq: () => 0,
  highWater: () => 0,
  received: () => false,
  died: () => false,
  unhandled: () => [],
  isUnhandled: () => false,
}

interface KeptMail {
  readonly mail: MailMemory
  readonly entries: Entry[]
}

const keptMail: EntryFold<KeptMail> = {
  version: 'kept-mail',
  empty: () => ({ mail: wholeMailFold.empty(), entries: [] }),
  apply({ mail, entries }, entry) {
    wholeMailFold.apply(mail, entry)
    entries.push(entry)
  },
}

export function mailWorld(kind: 'memory' | 'file', doorbell?: Doorbell): MailWorld {
  const home = mkdtempSync(join(tmpdir(), 'troupe-mail-'))
  const dir = join(home, 'mail')
  const mint = countingMint()
  const journals = new Map<string, OpenedJournal<KeptMail>>()
  const journalOf = (owner: string): OpenedJournal<KeptMail> => {
    const of = { owner, now: () => 1, fold: keptMail }
    const before = journals.get(owner)
    if (kind === 'file') before?.journal.close()
    else if (before) return before
    const opened = kind === 'file' ? openJournal(join(home, 'journal', `${owner}.jsonl`), of) : memoryJournal(of)
    journals.set(owner, opened)
    return opened
  }
  const entries = (owner: string) => journals.get(owner)?.state.entries ?? []
  return {
    home,
    dir,
    entries,
    open(owner, more = {}) {
      const { journal, state } = journalOf(owner)
      const log = mailLogOf((facts) => void journal.append(facts), state.mail)
      const from = owner.startsWith('user-') ? 'user' : agentId(owner, 'demo')
      const bell = doorbell ? { doorbell } : {}
      return createMailbox({ dir, owner, from, team: 'demo', roster, log, now: () => 1, mint, ...bell, ...more })
    },
    tree: () =>
      readdirSync(home).includes('mail') ? readdirSync(dir, { recursive: true }).map(String).toSorted() : [],
    files: (owner, folder) => readdirSync(join(dir, owner, folder)).toSorted(),
    deaths: (owner) => entries(owner).filter((entry) => entry.type === 'mail.died'),
    received: (owner) =>
      entries(owner).flatMap((entry) => (entry.type === 'mail.received' ? [entry.envelope.body] : [])),
    remove() {
      for (const { journal } of journals.values()) journal.close()
      rmSync(home, { recursive: true })
    },
  }
}
