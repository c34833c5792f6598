import { z } from 'zod'

/* Facts of the lives of tool calls, besides the ones of `fact.ts`; they stand in the journal of the member who called. */

const call = { call_id: z.string(), tool: z.string() }
const count = z.number().int().nonnegative()

/** Why a call was turned back before its tool ran: `limit` and a denied permission have facts of their own. */
export const refusalKinds = ['unknown', 'malformed', 'shape', 'meaning', 'hook', 'middleware', 'deferred'] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** An argument that was not of the declared type and could be read as if it were. */
const coercionSchema = z.object({ field: z.string(), from: z.string(), to: z.string() })
export type Coercion = z.infer<typeof coercionSchema>

/** The effect of a limit on a call beyond it: `block` refuses the call, `steer` runs it and tells the model to stop. */
export const limitKinds = ['block', 'steer'] as const

export const callFacts = [
  z.object({ type: z.literal('call.coerced'), ...call, changes: z.array(coercionSchema).min(1) }),
  /** `by`: the middleware that refused it. */
  z.object({
    type: z.literal('call.refused'),
    ...call,
    why: z.enum(refusalKinds),
    reason: z.string(),
    by: z.string().optional(),
  }),
  /** The tool failed in a way that passes; it runs again after the pause. */
  z.object({
    type: z.literal('call.retried'),
    ...call,
    attempt: z.number().int().positive(),
    delay_ms: z.number().nonnegative(),
    reason: z.string(),
  }),
  /** The call `of` was the same and its result still holds: the tool did not run. */
  z.object({ type: z.literal('call.reused'), ...call, of: z.string() }),
  z.object({ type: z.literal('call.limited'), ...call, limit: count, then: z.enum(limitKinds) }),
  /** The results of one turn were longer, together, than the member may read at once. */
  z.object({ type: z.literal('turn.overflowed'), turn: count, chars: count, limit: count }),
] as const

/** A file that a call read whole, or changed, with the content that it saw or left there. */
export const touchedFileSchema = z.object({ path: z.string(), sha256: z.string(), wrote: z.boolean() })

/** A result that was too long for the conversation: `artifacts/<sha256>` in the run directory has all of it. */
export const storedResultSchema = z.object({ sha256: z.string(), chars: count })
