import { z } from 'zod'
import { agentIdSchema } from '../words/ids-schema.ts'
import { personSender } from '../words/ids.ts'
import { restrictionSchema } from '../permissions/restriction.ts'

/** The purpose of a mail. Only `task` and `question` oblige the recipient to answer. */
export const mailKinds = ['task', 'result', 'text', 'question', 'answer', 'control', 'shutdown'] as const
export const mailPriorities = ['normal', 'interrupt'] as const
export const outcomeStatuses = ['done', 'failed', 'cancelled'] as const

/** The shape of a result, as JSON Schema. */
export const contractSchema = z.record(z.string(), z.unknown())
export type Contract = z.infer<typeof contractSchema>

export const envelopeSchema = z.object({
  v: z.literal(1),
  /** ULID, minted once: a re-run of the same send reuses it. */
  id: z.string().length(26),
  /** Idempotency key: the same key from the same sender is the same message. */
  key: z.string(),
  from: z.union([agentIdSchema, z.literal(personSender)]),
  /** The writer of the file, `<name>` or `user-<ulid>`: `seq` counts per writer. */
  sender: z.string(),
  seq: z.number().int().positive(),
  to: agentIdSchema,
  /** A control message may be fenced to one incarnation of its recipient. */
  incarnation: z.string().optional(),
  kind: z.enum(mailKinds),
  priority: z.enum(mailPriorities),
  reply_to: z.string().optional(),
  /** The delegated request that a task opens and its result settles. In a question: a part of the asker's own work. */
  request: z.string().optional(),
  /** The members whose work a delegated part belongs to, the outermost first; none of them may be handed a part of it. */
  chain: z.array(z.string()).optional(),
  /** When nobody waits for the answer to a delegated part any more. */
  deadline: z.number().optional(),
  status: z.enum(outcomeStatuses).optional(),
  /** A result that adds to the one which settled the request. */
  amends: z.literal(true).optional(),
  /** The shape that the result of a task must have. */
  returns: contractSchema.optional(),
  /** Restrictions of whoever acts on it: those of its sender. */
  restrictions: z.array(restrictionSchema).optional(),
  body: z.string(),
  /** The whole text, when `body` is only its beginning: `artifacts/<sha256>` in the run directory. */
  artifact: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/), bytes: z.number().int().positive() }).optional(),
  /** Images and documents that came with a person's words: `artifacts/<sha256>` in the run directory. */
  attachments: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
  /** The trace that it was sent in, as W3C Trace Context writes it. */
  traceparent: z.string().optional(),
  sent_at: z.number(),
  /** HMAC-SHA-256 with the run's key over all other fields. */
  mac: z.string().optional(),
})

/** The number of characters of a long text that its reader is shown, and the file that holds all of it. */
export const shownSchema = z.object({ chars: z.number().int().positive(), path: z.string() })

export type Shown = z.infer<typeof shownSchema>
export type Envelope = z.infer<typeof envelopeSchema>
export type MailKind = (typeof mailKinds)[number]
export type MailPriority = (typeof mailPriorities)[number]
export type OutcomeStatus = (typeof outcomeStatuses)[number]

/** The part of an envelope that a sender writes; the mailbox adds identity, order and time. */
export interface MailDraft
  extends
    Pick<Envelope, 'kind' | 'body' | 'key'>,
    Partial<
      Pick<
        Envelope,
        | 'priority'
        | 'reply_to'
        | 'request'
        | 'chain'
        | 'deadline'
        | 'status'
        | 'amends'
        | 'incarnation'
        | 'returns'
        | 'restrictions'
        | 'attachments'
      >
    > {
  /** `name@team`, `all@team`, a role with one member, or `name@team#<incarnation>`. */
  readonly to: string
}

/**
 * Reads a value as an envelope.
 * @returns the envelope, or the fields that are wrong and why
 * @example readEnvelope(JSON.parse(text))
 */
export function readEnvelope(value: unknown): { readonly envelope: Envelope } | { readonly problem: string } {
  const { data, error } = envelopeSchema.safeParse(value)
  return data
    ? { envelope: data }
    : { problem: error.issues.map(({ path, message }) => [...path.map(String), message].join(': ')).join('; ') }
}
