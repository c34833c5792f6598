import { z } from 'zod'

/** `limits:` in a team file: what the starting of members, and the handing out of work, keeps to. */
export const spawnLimitsSchema = z.strictObject({
  concurrency: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Workers at work at the same time; further work waits its turn.'),
  rate: z.number().int().positive().optional().describe('Members that may be started within any one minute.'),
  depth: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(
      'How far from the coordinator a member may be started: by itself 1, by a worker it started 2; runs inside of runs count on (default: 5).',
    ),
  requests: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Pieces of work that the coordinator, or a worker with `Delegate`, may ever hand out.'),
})

export type SpawnLimits = z.infer<typeof spawnLimitsSchema>

/** Far enough for a line of workers that start each other, too near for runs that start runs. */
export const deepest = 5
