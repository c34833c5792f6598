import { createHash, hash, timingSafeEqual } from 'node:crypto'
import type { Envelope } from '../../../protocol/mail/envelope.ts'

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
  const hmac = hmacOf(key)
  const macOf = (envelope: Envelope) => hmac(signedText(envelope))
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

const block = 64

/** What a unit of a JavaScript string takes in UTF-8 at most. */
const bytesPerUnit = 3

/**
 * HMAC-SHA-256 (RFC 2104) of a text, in hex, as two one-shot hashes: for texts as short as mail Node's own Hmac object
 * costs more than twice as much.
 */
function hmacOf(key: Uint8Array): (text: string) => string {
  const short = Buffer.alloc(block)
  short.set(key.length > block ? createHash('sha256').update(key).digest() : key)
  const outer = Buffer.concat([short.map((byte) => byte ^ 0x5c), Buffer.alloc(32)])
  const begin = short.map((byte) => byte ^ 0x36)
  let inner = Buffer.concat([begin, Buffer.alloc(4096)])
  return (text) => {
    const most = block + text.length * bytesPerUnit
    if (most > inner.length) inner = Buffer.concat([begin, Buffer.alloc(most)])
    const end = block + inner.write(text, block)
    outer.write(hash('sha256', inner.subarray(0, end)), block, 'hex')
    return hash('sha256', outer)
  }
}

/** Every field but the signature, always in the same order; what is missing is null. */
function signedText(mail: Envelope): string {
  const { v, id, key, from, sender, seq, to, kind, priority, body, sent_at } = mail
  const { incarnation = null, reply_to = null, request = null, status = null, artifact = null } = mail
  const fields: unknown[] = [v, id, key, from, sender, seq, to, kind, priority, body, sent_at]
  fields.push(incarnation, reply_to, request, status, artifact && [artifact.sha256, artifact.bytes])
  // Mail from before there were contracts keeps its signature.
  if (mail.returns !== undefined) fields.push(mail.returns)
  return JSON.stringify(fields)
}
