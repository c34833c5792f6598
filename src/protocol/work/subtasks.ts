import { z } from 'zod'
import { contractSchema } from '../mail/envelope.ts'

/** The subtasks of a call that delegates, as the coordinator's journal keeps them. */
export const delegatedSchema = z.object({
  subtasks: z.array(
    z.object({
      worker: z.string(),
      task: z.string(),
      context: z.string().optional(),
      name: z.string().optional(),
      depends_on: z.array(z.union([z.string(), z.number()])).default([]),
      returns: contractSchema.optional(),
    }),
  ),
})
