import { z } from 'zod'

const at = z.number()

/** News of a request that concern the rate of requests; times in milliseconds since the epoch. */
export const paceEventSchema = z.discriminatedUnion('type', [
  /** The request was about to go out; it did so where its turn had come. */
  z.object({ type: z.literal('sent'), at }),
  z.object({ type: z.literal('answered'), at }),
  /** `sent`: when it had gone out. `retry_after_ms`: the wait that the provider asked for. */
  z.object({ type: z.literal('refused'), at, sent: at, retry_after_ms: z.number().optional() }),
])

export type PaceEvent = z.infer<typeof paceEventSchema>
