import { z } from 'zod'
import { terminalReasons } from '../conversation/agent-event.ts'
import { specSchema } from '../facts/entry.ts'
import { failureSchema } from '../conversation/failure.ts'
import { agentIdSchema } from '../words/ids-schema.ts'
import { usageSchema } from '../conversation/message.ts'
import { ruleListsSchema } from '../permissions/permission-schema.ts'
import { permissionModes } from '../permissions/permission.ts'
import { manifestSchema } from '../work/orders.ts'
import { resolvedTeamSchema } from './team-card.ts'

/** Options from the start of the run that hold for whoever leads it on. */
export const launchSchema = z.object({
  mode: z.enum(permissionModes).optional(),
  rules: ruleListsSchema.optional(),
  trusted: z.boolean().optional(),
  allowBypass: z.boolean().optional(),
  permissionWaitMs: z.number().optional(),
  classifier: z.string().optional(),
  budgetUsd: z.number().optional(),
  executor: z.string().optional(),
  /** The trace that a traced run belongs to, as W3C Trace Context writes it: of whoever started it, or its own. */
  traceparent: z.string().optional(),
})

/** A process as the files of a run name it: `machine` is its boot and process namespace, `host` the installation behind it. */
const placedProcess = {
  pid: z.number().int(),
  started: z.number(),
  machine: z.string().optional(),
  host: z.string().optional(),
}

/** `stopped.json`: nobody leads this run on. */
export const stopFileSchema = z.object({ at: z.number(), reason: z.string() })

/** `run.json`, written once by the leader: enough to know what ran, and to run it again. */
export const runFileSchema = z.object({
  spec: specSchema,
  run: z.string(),
  team: resolvedTeamSchema,
  task: z.string(),
  cwd: z.string(),
  git_head: z.string().nullable(),
  created: z.number(),
  leader: z.object(placedProcess),
  launch: launchSchema.optional(),
})

export const memberStates = ['starting', 'idle', 'busy', 'draining', 'gone'] as const

/** `members/<name>.json`, replaced as a whole by the member's own process. */
export const memberFileSchema = z.object({
  id: agentIdSchema,
  incarnation: z.string(),
  executor: z.string(),
  ...placedProcess,
  pane: z.string().nullable(),
  state: z.enum(memberStates),
  unread: z.number().int().nonnegative(),
  /** The live socket of its process: what is being written just now, lossy. */
  live: z.string().nullable().optional(),
  /** The manifest of a worker in another process, said back by the worker before it begins. */
  hello: manifestSchema.optional(),
})

/** The document that `run --json` prints. */
export const runResultSchema = z.object({
  run: z.string(),
  run_dir: z.string(),
  team: z.string(),
  task: z.string(),
  status: z.enum(['completed', 'failed', 'aborted', 'budget', 'permission', 'interrupted']),
  reason: z.string(),
  /** The failure that ended the coordinator, where there was one. */
  failure: failureSchema.optional(),
  result: z.string().nullable(),
  /** Texts of the coordinator after its answer, oldest first. */
  afterwards: z.array(z.string()),
  /** Pieces of work that failed for good; `covered`: the team file says that the answer may do without. */
  missing: z.array(
    z.object({
      request: z.string(),
      worker: z.string(),
      status: z.enum(['failed', 'timed_out']),
      reason: z.string().optional(),
      covered: z.boolean(),
    }),
  ),
  /** Calls that were denied, the first 200 of them. */
  denied: z.array(z.object({ member: z.string(), tool: z.string(), reason: z.string() })),
  /** Denied calls beyond those that are listed. */
  denied_more: z.number().int().positive().optional(),
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

export type Launch = z.infer<typeof launchSchema>
export type StopFile = z.infer<typeof stopFileSchema>
export type RunFile = z.infer<typeof runFileSchema>
export type MemberFile = z.infer<typeof memberFileSchema>
export type MemberState = (typeof memberStates)[number]
export type RunResult = z.infer<typeof runResultSchema>
