import { expect, test } from 'vitest'
import { mailLogOf } from '../../../../src/adapters/mailbox/files/mail-log.ts'
import { memoryJournal } from '../../../../src/adapters/sessions/journal.ts'
import type { Envelope } from '../../../../src/protocol/mail/envelope.ts'
import { mailFold } from '../../../../src/adapters/mailbox/files/mail-memory.ts'
import type { Fact } from '../../../../src/protocol/facts/fact.ts'
import { everyEntry } from '../../../support/every-entry.ts'

const envelope = (seq: number): Envelope => ({
  v: 1,
  id: `01J00000000000000000000${String(seq).padStart(3, '0')}`,
  key: `k${seq}`,
  from: 'lead@demo',
  sender: 'lead',
  seq,
  to: 'writer@demo',
  kind: 'text',
  priority: 'normal',
  body: String(seq).padEnd(256 * 1024, 'x'),
  sent_at: 1,
})

test('what was sent long ago is looked up when its key comes again, what was sent lately is not', () => {
  const { journal, state } = memoryJournal({ owner: 'lead', now: () => 1, fold: everyEntry })
  const memory = mailFold.empty()
  let readings = 0
  const recall = (key: string) => {
    readings += 1
    return state
      .flatMap((entry) => (entry.type === 'mail.sent' ? [entry.envelope] : []))
      .find((mail) => mail.key === key)
  }
  const append = (facts: readonly Fact[]) => journal.append(facts).forEach((entry) => mailFold.apply(memory, entry))
  const log = mailLogOf(append, memory, recall)
  for (let seq = 1; seq <= 100; seq += 1) log.append([{ type: 'mail.sent', envelope: envelope(seq) }])
  const again = mailFold.empty()
  for (const entry of state) mailFold.apply(again, entry)
  for (const each of [log, mailLogOf(append, again, recall)]) {
    readings = 0
    expect([each.lastSeq(), each.sent('k100'), each.sent('k90'), each.sent('k101')]).toEqual([
      100,
      envelope(100),
      envelope(90),
      undefined,
    ])
    expect(readings).toBe(0)
    expect(each.sent('k1')).toEqual(envelope(1))
    expect(readings).toBe(1)
  }
})
