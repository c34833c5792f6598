import { join } from 'node:path'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox, type MailboxOptions } from '../../src/adapters/mailbox/mailbox.ts'
import { sealOf } from '../../src/adapters/mailbox/files/read-mail.ts'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { durably } from '../../src/runtime/context/mail-options.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'

export const text = 'x'.repeat(200)
export const receiver = 'recv'

/** A member as a run opens it: a journal in a file, signed mail. */
export function openMember(home: string, owner: string, more: Partial<MailboxOptions> = {}): Mailbox {
  const clock = systemClock()
  const { journal, state } = openJournal(join(home, 'journal', `${owner}.jsonl`), {
    owner,
    now: clock.now,
    fold: mailFold,
  })
  const write = (facts: readonly Fact[]): void => void journal.append(facts)
  const append = more.durability === 'power' ? durably(write, journal) : write
  return createMailbox({
    dir: join(home, 'mail'),
    owner,
    from: agentId(owner, 'bench'),
    team: 'bench',
    roster: [receiver],
    log: mailLogOf(append, state),
    now: clock.now,
    mint: clock.mint,
    seal: sealOf(Buffer.alloc(32, 1)),
    maxUnread: 1_000_000,
    ...more,
  })
}

/** When something happened, comparable between processes of one machine, in milliseconds. */
export function instant(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
