import { z } from 'zod'
import { terminalReasons } from './agent-event.ts'
import { agentIdSchema } from './ids.ts'
import { usageSchema } from './message.ts'
import { resolvedTeamSchema } from './team-card.ts'

/** `run.json`, written once by the leader: enough to know what ran, and to run it again. */
export const runFileSchema = z.object({
  spec: z.literal(1),
  run: z.string(),
  team: resolvedTeamSchema,
  task: z.string(),
  cwd: z.string(),
  git_head: z.string().nullable(),
  created: z.number(),
  leader: z.object({ pid: z.number().int(), started: z.number() }),
})

export const memberStates = ['starting', 'idle', 'busy', 'draining', 'gone'] as const

/** `members/<name>.json`, replaced as a whole by the member's own process. */
export const memberFileSchema = z.object({
  id: agentIdSchema,
  incarnation: z.string(),
  executor: z.string(),
  pid: z.number().int(),
  started: z.number(),
  pane: z.string().nullable(),
  state: z.enum(memberStates),
  unread: z.number().int().nonnegative(),
})

/** The document that `run --json` prints (DESIGN §15). */
export const runResultSchema = z.object({
  run: z.string(),
  run_dir: z.string(),
  team: z.string(),
  task: z.string(),
  status: z.enum(['completed', 'failed', 'aborted', 'budget', 'permission']),
  reason: z.string(),
  result: z.string().nullable(),
  members: z.array(
    z.object({
      id: agentIdSchema,
      status: z.enum([...memberStates, 'crashed', 'not_started']),
      turns: z.number().int().nonnegative(),
      reason: z.enum(terminalReasons).nullable(),
      usage: usageSchema,
      cost_usd: z.number().nullable(),
    }),
  ),
  usage: usageSchema,
  cost_usd: z.number().nullable(),
  duration_ms: z.number().nonnegative(),
})

export type RunFile = z.infer<typeof runFileSchema>
export type MemberFile = z.infer<typeof memberFileSchema>
export type MemberState = (typeof memberStates)[number]
export type RunResult = z.infer<typeof runResultSchema>
