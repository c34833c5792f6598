import type { Fate } from '../../adapters/mailbox/files/mail-state.ts'
import { findEntry } from '../../adapters/sessions/find-entry.ts'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { leaderName } from '../../protocol/words/ids.ts'

type Said = NonNullable<ReturnType<Fate>>

/** Mail as one journal knows it. Read on from where the last question ended. */
function openJournalFates(file: string): (id: string) => Said | null {
  const cursor = journalCursor(file)
  const known = new Map<string, Said>()
  return (id) => {
    cursor.each((entry) => {
      if (entry.type === 'mail.received') known.set(entry.envelope.id, 'acked')
      else if (entry.type === 'mail.handled') known.set(entry.mail_id, 'handled')
      else if (entry.type === 'mail.died' && entry.mail_id !== undefined) known.set(entry.mail_id, 'dead')
    })
    return known.get(id) ?? null
  }
}

/**
 * Says what the journals of a run know of a mail whose file is gone: that of its recipient, and the team's, which names the
 * tasks that were taken back. A journal is read when it is asked for the first time.
 */
export function mailFates({ journalFile }: Pick<RunDirectory, 'journalFile'>): Fate {
  const fates = new Map<string, ReturnType<typeof openJournalFates>>()
  const fateIn = (owner: string, id: string): Said | null => {
    const fate = fates.get(owner) ?? openJournalFates(journalFile(owner))
    fates.set(owner, fate)
    return fate(id)
  }
  return (to, { id }) => fateIn(to, id) ?? fateIn(leaderName, id)
}

/** Looks up in an owner's journal which mail was sent under a key, however long ago. */
export function sentUnder(file: string): (key: string) => Envelope | undefined {
  return (key) =>
    findEntry(file, JSON.stringify(key), (entry) =>
      entry.type === 'mail.sent' && entry.envelope.key === key ? entry.envelope : undefined,
    )
}
