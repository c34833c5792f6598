import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'
import type { Envelope } from '../../protocol/envelope.ts'

/** Signs what leaves and checks what comes. The key stays inside. */
export interface Seal {
  sign(envelope: Envelope): Envelope
  /** What is wrong with the signature, or null. */
  complaint(envelope: Envelope): string | null
}

/**
 * A seal with a run's key. It covers every field, so nothing of a signed envelope can be changed or left out unseen. It
 * catches accidents and forgery by tools; a hostile process of the same user can read the key.
 * @example const seal = sealOf(readRunKey(home, run.id)); seal.complaint(seal.sign(envelope)) // null
 */
export function sealOf(key: Uint8Array): Seal {
  // Made once: from bytes, Node would make it anew for every envelope, at four times the cost of the signature.
  const secret = createSecretKey(key)
  const macOf = (envelope: Envelope) => createHmac('sha256', secret).update(signedText(envelope)).digest()
  return {
    sign: (envelope) => ({ ...envelope, mac: macOf(envelope).toString('hex') }),
    complaint(envelope) {
      if (envelope.mac === undefined) return 'it is not signed'
      const [given, right] = [Buffer.from(envelope.mac, 'hex'), macOf(envelope)]
      const agrees = given.length === right.length && timingSafeEqual(given, right)
      return agrees ? null : 'its signature is not of this run, or it was changed after it was signed'
    },
  }
}

/** Every field but the signature, always in the same order; what is missing is null. */
function signedText(mail: Envelope): string {
  const { v, id, key, from, sender, seq, to, kind, priority, body, sent_at } = mail
  const { incarnation = null, reply_to = null, request = null, status = null, artifact = null } = mail
  const optional = [incarnation, reply_to, request, status, artifact && [artifact.sha256, artifact.bytes]]
  // Mail from before there were contracts keeps its signature.
  const contract = mail.returns === undefined ? [] : [mail.returns]
  return JSON.stringify([v, id, key, from, sender, seq, to, kind, priority, body, sent_at, ...optional, ...contract])
}
