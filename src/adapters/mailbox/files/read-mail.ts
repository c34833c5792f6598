import { createHmac, timingSafeEqual } from 'node:crypto'
import { readEnvelope, type Envelope, type MailPriority } from '../../../protocol/mail/envelope.ts'
import { agentId, isPersonOutbox, personSender, type AgentId } from '../../../protocol/words/ids.ts'
import { readPlainFile } from '../../fs/plain-file.ts'
import { parseMailFile } from './mail-files.ts'

/** The reason why a file is not taken in, with the parts of it that can be believed. */
export interface MailRefusal {
  readonly reason: string
  readonly id?: string
  readonly rejected?: Envelope
  /** The number of tries. */
  readonly attempts?: number
}

export type MailReading = { readonly envelope: Envelope } | MailRefusal

/** The member that takes mail in. */
export interface Recipient {
  readonly id: AgentId
  readonly team: string
  readonly seal?: Seal
  readonly incarnation?: string
}

/**
 * Reads one mail file and checks it against its name and its recipient.
 * @param path where it lies; the last part is its name
 * @returns the envelope, or the reason why the file is no mail for `recipient`
 * @throws the disk's own errors
 */
export function readMail(path: string, file: string, recipient: Recipient): MailReading {
  const name = parseMailFile(file)
  if (!name) return { reason: 'its name is not <sender>-<seq>-<ulid>.json' }
  const { id } = name
  const plain = readPlainFile(path)
  if ('reason' in plain) return { ...plain, id }
  const value = parsed(plain.text)
  if (value === undefined) return { reason: 'it is not JSON', id }
  const read = readEnvelope(value)
  if ('problem' in read) return { reason: `it is no envelope: ${read.problem}`, id }
  const { envelope } = read
  const agrees = envelope.sender === name.sender && envelope.seq === name.seq && envelope.id === id
  if (!agrees) return { reason: 'its name and its envelope disagree', id }
  const forged = recipient.seal ? (unsignedField(value, envelope) ?? recipient.seal.complaint(envelope)) : null
  if (forged !== null) return { reason: forged, id }
  const reason = objection(envelope, recipient)
  return reason === null ? { envelope } : { reason, id, rejected: envelope }
}

/** The fault of a file that says more than its signature covers, or null. */
function unsignedField(value: unknown, { artifact, ...envelope }: Envelope): string | null {
  const said = value as Readonly<Record<string, object>>
  const more = [
    ...Object.keys(said).filter((field) => field !== 'artifact' && !Object.hasOwn(envelope, field)),
    ...Object.keys(said['artifact'] ?? {}).filter((field) => !artifact || !Object.hasOwn(artifact, field)),
  ]
  return more.length === 0 ? null : `it has a field that no signature covers: ${JSON.stringify(more[0])}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The reason why genuine mail is not for this recipient, or not from its stated author; null for good mail. */
function objection(envelope: Envelope, { id, team, incarnation }: Recipient): string | null {
  const { from, sender, to } = envelope
  const author = from === personSender && isPersonOutbox(sender) ? from : agentId(sender, team)
  if (from !== author) return `it says it is from ${from}, and ${sender} wrote it`
  if (to !== id) return `it is addressed to ${to}`
  const fence = envelope.incarnation
  const isMine = fence === undefined || incarnation === undefined || fence === incarnation
  return isMine ? null : `it is meant for the life ${fence} of ${to}, and this is ${incarnation}`
}

/** The priority that a file claims. Only a hint depends on it, so the rest is not judged. */
export function peekPriority(path: string): MailPriority {
  const plain = readPlainFile(path)
  return 'text' in plain && plain.text.includes(hurry) ? 'interrupt' : 'normal'
}

/** The priority as every envelope spells it; within a text the quotes would be escaped. */
const hurry = '"priority":"interrupt"'

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
  // In a list of its own, so that it is not taken for a contract.
  if (mail.restrictions !== undefined) fields.push(['restrictions', mail.restrictions])
  if (mail.attachments !== undefined) fields.push(['attachments', mail.attachments])
  if (mail.traceparent !== undefined) fields.push(['traceparent', mail.traceparent])
  if (mail.chain !== undefined) fields.push(['chain', mail.chain])
  if (mail.deadline !== undefined) fields.push(['deadline', mail.deadline])
  return JSON.stringify(fields)
}
