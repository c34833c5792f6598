import { z } from 'zod'

/**
 * The first line of a `<name>.<n>.fold`: which fold's state follows, and which lines it stands for. The state itself is as V8
 * writes values, maps and sets included, and belongs to one version of Troupe.
 */
export const checkpointSchema = z.object({
  v: z.literal(1),
  /** Version of the fold. */
  fold: z.string(),
  /** The segment that begins here. */
  segment: z.number().int().positive(),
  /** Bytes of the segment before that count. */
  after: z.number().int().nonnegative(),
  /** Number and id of the last entry before. */
  seq: z.number().int().nonnegative(),
  id: z.string().nullable(),
  /** Of all that and the state. */
  sha256: z.string(),
})

export type CheckpointHead = z.infer<typeof checkpointSchema>
