import { createHmac } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { sealOf } from '../../../../src/adapters/mailbox/files/seal.ts'
import type { Envelope } from '../../../../src/protocol/mail/envelope.ts'

const mail = (body: string): Envelope => ({
  v: 1,
  id: '01J0000000000000000000000A',
  key: 'k1',
  from: 'lead@demo',
  sender: 'lead',
  seq: 1,
  to: 'writer@demo',
  kind: 'text',
  priority: 'normal',
  body,
  sent_at: 1,
})

/** All fields in their order; those that are missing are null. */
function signed({ v, id, key, from, sender, seq, to, kind, priority, body, sent_at }: Envelope): string {
  return JSON.stringify([
    v,
    id,
    key,
    from,
    sender,
    seq,
    to,
    kind,
    priority,
    body,
    sent_at,
    null,
    null,
    null,
    null,
    null,
  ])
}

const body = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.nat(9_000).map((length) => 'ä'.repeat(length)),
)

property.prop([fc.uint8Array({ maxLength: 100 }), fc.array(body, { minLength: 1, maxLength: 4 })])(
  'a signature is the HMAC-SHA-256 of the fields, whatever was signed before',
  (key, bodies) => {
    const seal = sealOf(key)
    for (const each of bodies.map(mail)) {
      const envelope = seal.sign(each)
      expect(envelope.mac).toBe(createHmac('sha256', key).update(signed(each)).digest('hex'))
      expect(seal.complaint(envelope)).toBeNull()
      expect(seal.complaint({ ...envelope, seq: 2 })).not.toBeNull()
    }
  },
)
