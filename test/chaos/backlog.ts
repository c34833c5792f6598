import { join } from 'node:path'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'

/** What became of mail that piled up; nothing may be missing, out of order or left. */
export interface Backlog {
  readonly received: number
  readonly misordered: number
  readonly unread: number
  /** From opening the box to the first batch. */
  readonly first_ms: number
}

/** Lets `count` mails pile up in one box, with its bound raised, and reads them all. */
export function drainBacklog(home: string, count: number): Backlog {
  const lead = open(home, 'lead', count)
  for (let n = 1; n <= count; n += 1) {
    const sent = lead.send({ to: agentId('writer', 'demo'), kind: 'text', body: `${n}`, key: `k${n}` })
    if (!sent.ok) throw new Error(sent.error)
  }
  const began = performance.now()
  const writer = open(home, 'writer', count)
  let [received, misordered, first] = [0, 0, 0]
  for (let batch = writer.receive(); batch.length > 0; batch = writer.receive()) {
    if (received === 0) first = performance.now() - began
    for (const { body } of batch) {
      received += 1
      if (body !== `${received}`) misordered += 1
    }
  }
  return { received, misordered, unread: writer.unread(), first_ms: Math.round(first) }
}

function open(home: string, owner: string, count: number): Mailbox {
  const { now, mint } = systemClock()
  const { journal, state } = openJournal(join(home, 'journal', `${owner}.jsonl`), { owner, now, fold: mailFold })
  const log = mailLogOf((facts) => void journal.append(facts), state)
  const [from, roster] = [agentId(owner, 'demo'), ['lead', 'writer']]
  return createMailbox({
    dir: join(home, 'mail'),
    owner,
    from,
    team: 'demo',
    roster,
    log,
    now,
    mint,
    maxUnread: 2 * count,
  })
}
