import { envelopeSchema, mailKinds, mailPriorities, outcomeStatuses, type Envelope } from './envelope.ts'
import { isAgentId, personSender } from '../words/ids.ts'

const kinds = new Set<unknown>(mailKinds)
const priorities = new Set<unknown>(mailPriorities)
const statuses = new Set<unknown>(outcomeStatuses)

type Fields = Partial<Record<keyof Envelope, unknown>>

/** How many fields every envelope has. */
const required = 11

/**
 * Whether a value is an envelope as nearly all are: the known fields and no other, nothing nested. The schema accepts each
 * of these and returns the same; asking it costs several times as much.
 */
export function isPlainEnvelope(value: unknown): value is Envelope {
  if (typeof value !== 'object' || value === null) return false
  const mail = value as Fields
  const extra = optionalFields(mail)
  return hasRequired(mail) && extra !== null && Object.keys(mail).length === required + extra
}

function hasRequired({ v, id, key, from, sender, seq, to, kind, priority, body, sent_at }: Fields): boolean {
  return (
    v === 1 &&
    typeof id === 'string' &&
    id.length === 26 &&
    typeof key === 'string' &&
    (from === personSender || isAgentId(from)) &&
    typeof sender === 'string' &&
    Number.isSafeInteger(seq) &&
    (seq as number) > 0 &&
    isAgentId(to) &&
    kinds.has(kind) &&
    priorities.has(priority) &&
    typeof body === 'string' &&
    Number.isFinite(sent_at)
  )
}

/** How many of them there are; null when one is not as it should be. */
function optionalFields({ incarnation, reply_to, request, status, mac }: Fields): number | null {
  if (status !== undefined && !statuses.has(status)) return null
  let count = status === undefined ? 0 : 1
  for (const text of [incarnation, reply_to, request, mac]) {
    if (text === undefined) continue
    if (typeof text !== 'string') return null
    count += 1
  }
  return count
}

/**
 * Reads a value as an envelope.
 * @returns the envelope, or what is wrong with it
 * @example readEnvelope(JSON.parse(text))
 */
export function readEnvelope(value: unknown): { readonly envelope: Envelope } | { readonly problem: string } {
  if (isPlainEnvelope(value)) return { envelope: value }
  const { data, error } = envelopeSchema.safeParse(value)
  return data
    ? { envelope: data }
    : { problem: error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ') }
}
