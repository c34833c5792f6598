import { z } from 'zod'
import { failureSchema } from '../conversation/failure.ts'
import { stopReasons, usageSchema } from '../conversation/message.ts'

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

const ms = z.number().nonnegative()
const turn = z.number().int().nonnegative()

/** Questions beside the work: whether a call may run, for advice, for a summary of the conversation, what a tool wants to know, what is to be remembered, or what a hook asks. */
export const consultations = ['permission', 'advice', 'summary', 'sampling', 'memory', 'hook'] as const
export type Consulted = (typeof consultations)[number]

/** Model calls that the work goes on without when the budget has no room: a consultation, or a stronger model. */
export const asides = [...consultations, 'escalation'] as const
export type Aside = (typeof asides)[number]

/** Facts of what an agent asks of models; they stand in its member's journal. */
export const modelFacts = [
  fact('model.requested', { turn, model: z.string() }),
  fact('model.settled', {
    turn,
    model: z.string(),
    stop: z.enum(stopReasons),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    duration_ms: ms,
    /** The vendor's own name for the request: support asks for it. */
    request_id: z.string().optional(),
    failure: failureSchema.optional(),
  }),
  /** An attempt failed and is made again after the pause; what was streamed of it is void. */
  fact('model.retried', {
    turn,
    model: z.string(),
    attempt: z.number().int().positive(),
    delay_ms: ms,
    failure: failureSchema,
    usage: usageSchema,
    cost_usd: z.number().nullable(),
  }),
  /** An attempt was paid for and came to nothing: its work was called off meanwhile, or another model goes on. */
  fact('model.given_up', { turn, model: z.string(), usage: usageSchema, cost_usd: z.number().nullable() }),
  /** Another model was asked about something the agent does; its answer is no part of the conversation. */
  fact('model.consulted', {
    purpose: z.enum(consultations),
    /** The call that it is about; a summary is about none. */
    call_id: z.string().optional(),
    model: z.string(),
    stop: z.enum(stopReasons),
    usage: usageSchema,
    cost_usd: z.number().nullable(),
    duration_ms: ms,
    /** The advice: who takes up its call after a kill asks nobody again. */
    advice: z.string().optional(),
  }),
  /** A limit is waited for. The state stands in the journal: who resumes the run waits on. */
  fact('model.paused', { turn, model: z.string(), until: z.number(), failure: failureSchema }),
  /** Still paused: said every half minute. */
  fact('model.waiting', { turn, model: z.string(), until: z.number() }),
  fact('model.resumed', { turn, model: z.string() }),
  /** One model was given up, the next of its list answers from now on. */
  fact('model.fell_back', { turn, from: z.string(), to: z.string(), failure: failureSchema }),
  /** A feature that a server refused is left out of questions to this model from now on, or (`back`) asked for again. */
  fact('model.conceded', { turn, model: z.string(), feature: z.string(), back: z.boolean(), reason: z.string() }),
  /** The waits of a member were long: its conversation is kept for an hour from now on. */
  fact('cache.extended', { turn, waits: z.number().int().positive(), median_ms: ms }),
  /** The server of a model counted a request, answer excluded, where a guess was close to a bound of the window. */
  fact('model.counted', { turn, model: z.string(), tokens: z.number().int().positive() }),
  /** The server of a model said how it runs there. Absent is what the server does not say. */
  fact('model.described', {
    turn,
    model: z.string(),
    window: z.number().int().positive(),
    slots: z.number().int().positive().optional(),
    trained: z.number().int().positive().optional(),
  }),
] as const
