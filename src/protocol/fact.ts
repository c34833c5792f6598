import { z } from 'zod'
import { continueReasons, terminalReasons } from './agent-event.ts'
import { envelopeSchema, mailKinds } from './envelope.ts'
import { failureSchema } from './failure.ts'
import { messageSchema, stopReasons, usageSchema } from './message.ts'
import { decisionSchema } from './permission.ts'

/**
 * Everything that can have happened. A fact is said in the past tense, journaled before any fold or
 * screen sees it, and never edited. A new fact is one line here; the compiler shows every fold that must care.
 */

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

const ms = z.number().nonnegative()
const turn = z.number().int().nonnegative()

/** Facts of one agent's conversation; they live in that member's journal. */
export const agentFacts = [
  fact('agent.started', {}),
  fact('message.appended', { message: messageSchema }),
  /** The entry with this id is gone for model, screen and transcript (orphaned partial after a fallback). */
  fact('message.tombstoned', { target: z.string() }),
  fact('model.requested', { turn, model: z.string() }),
  fact('model.settled', {
    turn,
    model: z.string(),
    stop: z.enum(stopReasons),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    duration_ms: ms,
    failure: failureSchema.optional(),
  }),
  fact('turn.continued', { turn, reason: z.enum(continueReasons) }),
  fact('call.started', { call_id: z.string(), tool: z.string() }),
  fact('permission.decided', { call_id: z.string(), tool: z.string(), decision: decisionSchema }),
  fact('call.finished', { call_id: z.string(), tool: z.string(), is_error: z.boolean(), duration_ms: ms }),
  fact('agent.parked', { turn }),
  fact('agent.ended', { turn, reason: z.enum(terminalReasons), failure: failureSchema.optional() }),
] as const

/** Facts of mail; written by the mailbox through the owner's journal. */
export const mailFacts = [
  fact('mail.sent', { envelope: envelopeSchema }),
  fact('mail.received', { envelope: envelopeSchema }),
  /** `kind` and `from` only when they can be believed; `attempts` when it was tried more than once. */
  fact('mail.died', {
    file: z.string(),
    mail_id: z.string().optional(),
    reason: z.string(),
    kind: z.enum(mailKinds).optional(),
    from: z.string().optional(),
    attempts: z.number().int().positive().optional(),
  }),
] as const

/** Facts of a member's life, in its own journal. */
export const memberFacts = [
  fact('member.started', { incarnation: z.string(), executor: z.string(), pid: z.number().int() }),
  fact('member.woke', {}),
  fact('member.idled', {}),
  /** The last output of a finished piece of work was sent to whoever was owed it. */
  fact('member.replied', { request: z.string(), mail_id: z.string() }),
  fact('member.drained', {}),
  fact('member.gone', { reason: z.string() }),
] as const

/** Facts of the whole team, in `journal/team.jsonl`, written by the leader. */
export const teamFacts = [
  fact('team.started', { run: z.string(), team: z.string(), hash: z.string(), task: z.string() }),
  fact('member.spawned', { member: z.string(), attempt: z.number().int().positive() }),
  fact('member.crashed', { member: z.string(), error: z.string() }),
  fact('member.lost', { member: z.string(), reason: z.string() }),
  fact('request.opened', {
    request: z.string(),
    worker: z.string(),
    task: z.string(),
    mail_id: z.string(),
    attempt: z.number().int().positive(),
    deadline: z.number().nullable(),
  }),
  fact('request.settled', {
    request: z.string(),
    worker: z.string(),
    status: z.enum(['done', 'failed', 'cancelled', 'timed_out']),
    reason: z.string().optional(),
  }),
  fact('gather.opened', { deadline: z.number() }),
  fact('gather.settled', { why: z.enum(['all', 'any', 'quorum', 'progressive', 'timeout', 'failed']) }),
  fact('coordinator.moved', { state: z.string(), tools: z.array(z.string()) }),
  fact('lead.nudged', { open: z.array(z.string()) }),
  fact('team.ended', {
    status: z.enum(['completed', 'failed', 'aborted', 'budget', 'permission']),
    reason: z.string(),
    result: z.string().nullable(),
  }),
] as const

/** Facts that any part may state. */
export const commonFacts = [
  /** No state wanted this event: XState would drop it in silence. */
  fact('event.dropped', { actor: z.string(), event: z.string(), state: z.string() }),
  fact('warning.raised', { code: z.string(), message: z.string() }),
] as const

export const factSchema = z.discriminatedUnion('type', [
  ...agentFacts,
  ...mailFacts,
  ...memberFacts,
  ...teamFacts,
  ...commonFacts,
])

export type Fact = z.infer<typeof factSchema>
export type FactType = Fact['type']
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>
export type RunStatus = FactOf<'team.ended'>['status']
