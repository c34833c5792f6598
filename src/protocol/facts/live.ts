import { z } from 'zod'

/**
 * Lines of a member's process at its live socket, one JSON object each: text that is being written now. All of it is
 * lossy, none of it is the truth; the journal says later, and for good, how it ended.
 */

const live = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), member: z.string(), ...shape })

export const liveEventSchema = z.discriminatedUnion('type', [
  live('request.start', { turn: z.number().int().nonnegative(), model: z.string() }),
  live('text.delta', { text: z.string() }),
  live('thinking.delta', { text: z.string() }),
  /** The streamed part of this answer is void: the model is asked again. */
  live('text.reset', {}),
  live('tool.progress', { call_id: z.string(), text: z.string() }),
  /** The journal of this owner holds the entry `seq` now; deltas that follow came after it. */
  live('entry', { seq: z.number().int().positive() }),
  /** So many lines were left out, because this listener did not read them. `member` is whose process it is. */
  live('dropped', { count: z.number().int().positive() }),
])

export type LiveEvent = z.infer<typeof liveEventSchema>
