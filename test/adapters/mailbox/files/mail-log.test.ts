import { expect, test } from 'vitest'
import { mailLogOf } from '../../../../src/adapters/mailbox/files/mail-log.ts'
import { memoryJournal } from '../../../../src/adapters/sessions/journal.ts'
import type { Envelope } from '../../../../src/protocol/mail/envelope.ts'

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

test('what was sent long ago is read again when its key comes again, what was sent lately is not', () => {
  const journal = memoryJournal('lead', () => 1)
  let readings = 0
  const recall = () => {
    readings += 1
    return journal.read().entries
  }
  const log = mailLogOf((facts) => void journal.append(facts), [], recall)
  for (let seq = 1; seq <= 100; seq += 1) log.append([{ type: 'mail.sent', envelope: envelope(seq) }])
  const later = mailLogOf(() => undefined, journal.read().entries, recall)
  for (const each of [log, later]) {
    readings = 0
    expect([each.lastSeq(), each.sent('k100'), each.sent('k60'), each.sent('k101')]).toEqual([
      100,
      envelope(100),
      envelope(60),
      undefined,
    ])
    expect(readings).toBe(0)
    expect(each.sent('k1')).toEqual(envelope(1))
    expect(readings).toBe(1)
  }
})
