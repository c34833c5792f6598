import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Envelope } from '../../../protocol/mail/envelope.ts'

/** The signature of a run's mail: put on what leaves, checked on what comes. */
export interface Seal {
  sign(envelope: Envelope): Envelope
  /** The fault of a signature, or null. */
  complaint(envelope: Envelope): string | null
}

/**
 * Makes the seal of a run's key. The signature covers every field, so no field can be changed or left out unseen. A seal
 * catches accidents and forgery by tools; a hostile process of the same user can read the key.
 * @example const seal = sealOf(readRunKey(home, run.id)); seal.complaint(seal.sign(envelope)) // null
 */
export function sealOf(key: Uint8Array): Seal {
  const macOf = (envelope: Envelope) => createHmac('sha256', key).update(signedText(envelope)).digest('hex')
  return {
    sign: (envelope) => ({ ...envelope, mac: macOf(envelope) }),
    complaint(envelope) {
      if (envelope.mac === undefined) return 'it is not signed'
      const [given, right] = [Buffer.from(envelope.mac), Buffer.from(macOf(envelope))]
      const agrees = given.length === right.length && timingSafeEqual(given, right)
      return agrees ? null : 'its signature is not of this run, or it was changed after it was signed'
    },
  }
}

/** All fields but the signature, always in the same order, with null for a missing one. */
function signedText(mail: Envelope): string {
  const { v, id, key, from, sender, seq, to, kind, priority, body, sent_at } = mail
  const { incarnation = null, reply_to = null, request = null, status = null, artifact = null } = mail
  const fields: unknown[] = [v, id, key, from, sender, seq, to, kind, priority, body, sent_at]
  fields.push(incarnation, reply_to, request, status, artifact && [artifact.sha256, artifact.bytes])
  // Mail from before there were contracts keeps its signature.
  if (mail.returns !== undefined) fields.push(mail.returns)
  return JSON.stringify(fields)
}
