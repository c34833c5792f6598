import { z } from 'zod'

const at = z.number()

/** What became of a request, as far as the rate of requests is concerned; times in milliseconds since the epoch. */
export const paceEventSchema = z.discriminatedUnion('type', [
  /** It was about to go out: before its turn came it did not. */
  z.object({ type: z.literal('sent'), at }),
  z.object({ type: z.literal('answered'), at }),
  /** `sent`: when it had gone out. `retry_after_ms`: the wait that the provider asked for. */
  z.object({ type: z.literal('refused'), at, sent: at, retry_after_ms: z.number().optional() }),
])

export type PaceEvent = z.infer<typeof paceEventSchema>
