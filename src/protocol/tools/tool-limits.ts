import { z } from 'zod'
import { aroundFields } from './around-work.ts'
import { limitKinds } from './call-fact.ts'

const calls = z.number().int().nonnegative()

const limitSchema = z.strictObject({
  calls: calls.describe('Calls that one member may make in a run.'),
  then: z
    .enum(limitKinds)
    .optional()
    .describe('block refuses what comes after; steer lets it run and tells the member to end (default: block).'),
})

const count = z.number().int().positive()

const stuckSchema = z.strictObject({
  window: count.optional().describe('Turns that are looked back on (default: 10).'),
  repeats: count
    .min(2)
    .optional()
    .describe('Equal turns, without a change in between, at which the work is ended (default: 5).'),
  looks: count
    .min(2)
    .optional()
    .describe('The same for looks at what others do, such as BashOutput, TaskList and sleep (default: 50).'),
})
export type StuckLimits = z.infer<typeof stuckSchema>

/** Keys of a team file, for all members or for one. */
export const limitFields = {
  tool_limits: z
    .record(z.string().min(1), z.union([calls, limitSchema]))
    .optional()
    .describe('How often a member may call a tool in a run, by tool: a number, or calls and what follows.'),
  turn_output: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Characters of tool results in one turn after which a member is told to digest them (default: any).'),
  stuck: stuckSchema
    .optional()
    .describe('When a member that makes no progress is ended as loop_detected; it is warned twice before.'),
  ...aroundFields,
}

/** Keys of a worker. */
export const goalFields = {
  token_goal: z
    .number()
    .int()
    .positive()
    .optional()
    .describe(
      'Output tokens that a piece of its work is meant to be worth: short of it, it is told to go on until it adds hardly anything.',
    ),
}

/** All of these with defaults filled in, as a resolved card has them. */
export const resolvedLimitFields = {
  tool_limits: z.record(z.string(), z.object({ calls, then: z.enum(limitKinds) })).optional(),
  turn_output: z.number().int().positive().optional(),
  stuck: stuckSchema.optional(),
  token_goal: z.number().int().positive().optional(),
  ...aroundFields,
}
