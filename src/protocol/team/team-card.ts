import { z } from 'zod'
import { spanSchema } from '../words/duration-schema.ts'
import { executorKinds, isolationKinds, restartKinds } from './executor.ts'
import { nameSchema } from '../words/ids-schema.ts'
import { answerFields, thinkingSchema, type AnswerSettings } from '../models/answer-settings.ts'
import { efforts } from '../models/model.ts'
import { resolvedServerFields, serverFields } from '../models/model-servers.ts'
import { ruleListsSchema } from '../permissions/permission-schema.ts'
import { permissionModes } from '../permissions/permission.ts'
import { spawnLimitsSchema } from './spawn-limits.ts'
import { mailPolicySchema, mailSchema } from './mail-policy.ts'
import { retentionPolicySchema, retentionSchema } from './retention.ts'
import { supervisionPolicySchema, supervisionSchema } from './supervision.ts'
import { limitFields, resolvedLimitFields } from '../tools/tool-limits.ts'
import { codeToolSchema, httpToolsSchema } from './team-tools.ts'
import { mcpServersSchema, resolvedServersSchema } from '../mcp/server-spec.ts'
import { evidenceKinds, taskPolicySchema } from '../work/task.ts'
import { hookSchema } from '../hooks/hook.ts'
import { hookFields, teamHookFields } from './hook-fields.ts'
import { memoryFields, memoryPlanSchema } from './memory-card.ts'
import { promptFields, teamPromptFields } from './prompt-card.ts'
import { namedSchema } from './team-edit.ts'
import { helpFields, modelNameSchema, resolvedWorkFields, workFields } from './work-card.ts'

/** The team file as people write it (docs/team-file.md). Every object is strict: an unknown key is a mistake. */

const text = z.string().min(1, 'must not be empty')

export const partitions = ['enforced', 'relaxed'] as const

export const budgetSchema = z.strictObject({
  usd: z.number().positive().optional().describe('Dollars that may be spent.'),
  tokens: z.number().int().positive().optional().describe('Tokens that may go in and come out, cached ones included.'),
  turns: z.number().int().positive().optional().describe('Model answers that may be asked for.'),
  minutes: z.number().positive().optional().describe('Wall-clock minutes.'),
  unpriced: z
    .enum(['allow', 'refuse'])
    .optional()
    .describe('A model or container without a known price under `usd`: used with a warning, or not (default: allow).'),
  runaway: z
    .enum(['warn', 'stop'])
    .optional()
    .describe('Five turns in a row, each a tenth dearer than the one before: told, or the end (default: warn).'),
  agents: z
    .number()
    .int()
    .positive()
    .optional()
    .describe('Starts of members, the coordinator included; one that is started again counts again.'),
})

export const permissionsSchema = z.strictObject({
  mode: z.enum(permissionModes).optional().describe('What happens to a call that no rule names (default: default).'),
  allow: ruleListsSchema.shape.allow.describe(
    'Rules for calls that need no question; they count only in a trusted workspace.',
  ),
  ask: ruleListsSchema.shape.ask.describe('Rules for calls that are always asked about.'),
  deny: ruleListsSchema.shape.deny.describe('Rules for calls that never happen, e.g. `Bash(git push:*)`.'),
  scope: z.array(text).optional().describe('Directories that may never be left, inside the `scope` of the team.'),
  blocked_hosts: z
    .array(text)
    .optional()
    .describe('Hosts that no call may name, and what lies below them; no rule and no mode opens them.'),
})

const countSchema = z.number().int().positive()

export const gatherSchema = z.strictObject({
  wait: z
    .union([z.literal('all'), z.literal('any'), z.literal('progressive'), z.strictObject({ quorum: countSchema })])
    .optional()
    .describe('How many results the coordinator waits for before it writes its answer (default: all).'),
  timeout: spanSchema.optional().describe('Longest wait for a whole round of requests (default: 10m).'),
  rounds: countSchema.optional().describe('How many rounds of requests the coordinator may have (default: 5).'),
  on_failure: z
    .strictObject({
      retry: z
        .number()
        .int()
        .nonnegative()
        .optional()
        .describe('How often a failed request is tried again (default: 1).'),
      substitute: nameSchema
        .optional()
        .describe('A worker that is asked once, when the one that was asked has failed for good.'),
      then: z
        .enum(['continue', 'fail'])
        .optional()
        .describe('What follows when it still fails: an answer without it, or a run that failed (default: continue).'),
    })
    .optional()
    .describe('What a failed request leads to.'),
})

const memberFields = {
  description: text.optional().describe('What the coordinator is told about this member.'),
  prompt: text.optional().describe('The system prompt of this member.'),
  ...promptFields,
  from: text
    .optional()
    .describe(
      'A subagent card (markdown with frontmatter), worker card (YAML) or built-in kind (`builtin:general`, `explore`, `plan`, `review`, `verify`) that fills in what is not said here; a file is relative to this one.',
    ),
  tools: z.array(text).optional().describe('Names of the tools this member may use; none are implied.'),
  model: modelNameSchema.optional().describe('provider/model of this member (default: the model of the team).'),
  fallback: z
    .array(modelNameSchema)
    .optional()
    .describe('Models that answer instead when the model is busy, gone or not ours to ask, in this order.'),
  effort: z
    .enum(efforts)
    .optional()
    .describe('How hard the model should think; one that cannot be told answers without.'),
  thinking: thinkingSchema
    .optional()
    .describe('Tokens to think for before an answer, where a model knows such a budget.'),
  ...answerFields,
  permissions: permissionsSchema.optional().describe('Narrows what the team allows, for this member.'),
  budget: budgetSchema.optional().describe('Limits of this member, inside those of the team.'),
  max_turns: z.number().int().positive().optional().describe('Model answers per piece of work (default 40).'),
  ...hookFields,
  ...helpFields,
  ...memoryFields,
  ...limitFields,
}

export const coordinatorSchema = z.strictObject({
  name: nameSchema.optional().describe('Its name (default: lead).'),
  ...memberFields,
  gather: gatherSchema.optional().describe('When the results of its workers are enough.'),
})

export const workerSchema = z.strictObject({
  ...memberFields,
  executor: z
    .union([z.enum(executorKinds), nameSchema])
    .optional()
    .describe('Where this worker runs (default: in-process); a program that runs the team may know other names.'),
  isolation: z.enum(isolationKinds).optional().describe('worktree gives it a git worktree of its own (default: none).'),
  restart: z.enum(restartKinds).optional().describe('When a dead worker is started again (default: on-crash).'),
  ...workFields,
  replicas: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many of it (default: 1); more than one gives name-1 … name-n.'),
})

/** The task board of a team; `tasks: {}` gives it one as it comes. */
export const tasksSchema = z.strictObject({
  evidence: z
    .array(z.enum(evidenceKinds))
    .min(1)
    .optional()
    .describe('Kinds of evidence of which one must come with every finished task (default: none is asked for).'),
  review: z
    .boolean()
    .optional()
    .describe('Another member than the one who did it confirms each task (default: false).'),
  lease: spanSchema.optional().describe('How long a claim holds when it is not renewed (default: 30m).'),
  checks: z
    .record(nameSchema, text)
    .optional()
    .describe(
      'Commands by name that the leader runs when a task names one as evidence; the rules of the member who did it must allow them.',
    ),
})

export const teamFileSchema = z.strictObject({
  name: nameSchema.describe('The team: every member is known as name@team.'),
  description: text.optional().describe('What the team is for, in a sentence.'),
  model: modelNameSchema
    .optional()
    .describe('provider/model for every member, e.g. scripted/answers.yaml; `--model` and TROUPE_MODEL override it.'),
  ...teamPromptFields,
  fallback: memberFields.fallback,
  effort: memberFields.effort,
  thinking: memberFields.thinking,
  ...memoryFields,
  ...answerFields,
  ...limitFields,
  ...serverFields,
  budget: budgetSchema.optional().describe('Hard limits of a whole run.'),
  limits: spawnLimitsSchema.optional().describe('How many members are started, how fast and by whom.'),
  partition: z
    .enum(partitions)
    .optional()
    .describe('relaxed lets the coordinator hold domain tools (default: enforced).'),
  clarify: z
    .boolean()
    .optional()
    .describe('A task that says too little is asked about before anything is spent (default: false).'),
  scope: z.array(text).optional().describe('Directories that may never be left, relative to the working directory.'),
  permissions: permissionsSchema
    .optional()
    .describe('What the members may do, beside the settings of person and project.'),
  ...teamHookFields,
  tasks: tasksSchema.optional().describe('Gives the team a task board, and says what it asks of its tasks.'),
  http_tools: httpToolsSchema.optional().describe('Tools that are calls to an address, by name.'),
  mcp_servers: mcpServersSchema
    .optional()
    .describe(
      'MCP servers by name, in the words of `.mcp.json`; members that name `mcp__NAME` among their tools use them.',
    ),
  mail: mailSchema.optional().describe('How messages between members are kept.'),
  retention: retentionSchema.optional().describe('How long some files of a run stay after its end.'),
  supervision: supervisionSchema.optional().describe('When members that fail are given up, and when one hangs.'),
  coordinator: coordinatorSchema.describe('Decides what is to be done and writes the answer.'),
  workers: z
    .record(nameSchema, workerSchema)
    .refine((workers) => Object.keys(workers).length > 0, 'must name at least one worker')
    .describe('Do the work, each by its name.'),
})

export type TeamFile = z.infer<typeof teamFileSchema>
export type WorkerFile = z.infer<typeof workerSchema>
export type CoordinatorFile = z.infer<typeof coordinatorSchema>
export type Budget = z.infer<typeof budgetSchema>
export type ExecutorKind = (typeof executorKinds)[number]
export type RestartKind = (typeof restartKinds)[number]

/** The gather policy with defaults filled in; `timeout_ms` is per round. */
export const gatherPolicySchema = z.object({
  wait: z.union([z.literal('all'), z.literal('any'), z.literal('progressive'), z.object({ quorum: countSchema })]),
  timeout_ms: z.number().positive(),
  rounds: countSchema.optional(),
  retry: z.number().int().nonnegative(),
  substitute: nameSchema.optional(),
  then: z.enum(['continue', 'fail']),
})

/** One member of a resolved team: nothing is optional any more, files are inlined. */
export const memberCardSchema = z.object({
  name: nameSchema,
  role: z.enum(['coordinator', 'worker']),
  /** The worker key in the file; replicas share it. */
  card: z.string(),
  description: z.string(),
  prompt: z.string(),
  ...promptFields,
  tools: z.array(z.string()),
  model: z.string(),
  fallback: z.array(z.string()).optional(),
  effort: z.enum(efforts).optional(),
  thinking: thinkingSchema.optional(),
  ...answerFields,
  permissions: permissionsSchema,
  budget: budgetSchema,
  executor: nameSchema,
  isolation: z.enum(isolationKinds),
  restart: z.enum(restartKinds),
  max_turns: z.number().int().positive(),
  ...resolvedLimitFields,
  ...resolvedWorkFields,
  memory: memoryPlanSchema.optional(),
  hooks: z.array(hookSchema).optional(),
})

/** The team as a run freezes it: two runs with the same hash ran the same team. */
export const resolvedTeamSchema = z.object({
  name: nameSchema,
  description: z.string(),
  /** Absolute path of the team file. */
  file: z.string(),
  budget: budgetSchema,
  ...teamPromptFields,
  limits: spawnLimitsSchema.optional(),
  partition: z.enum(partitions),
  clarify: z.boolean().optional(),
  ...resolvedServerFields,
  scope: z.array(z.string()),
  permissions: permissionsSchema,
  gather: gatherPolicySchema,
  /** Missing in runs that were made before it could be said; the defaults hold for them. */
  mail: mailPolicySchema.optional(),
  /** Absent where the team says nothing of it; the defaults hold. */
  supervision: supervisionPolicySchema.optional(),
  /** Absent where the team says nothing of it; the defaults hold. */
  retention: retentionPolicySchema.optional(),
  http_tools: httpToolsSchema.optional(),
  code_tools: z.array(codeToolSchema).optional(),
  hooks: z.array(hookSchema).optional(),
  /** The servers that members name, of whichever file. */
  mcp_servers: resolvedServersSchema.optional(),
  /** Absent where the team has no task board. */
  tasks: taskPolicySchema.optional(),
  coordinator: nameSchema,
  members: z.array(memberCardSchema).min(2),
  named: namedSchema.optional(),
  hash: z.string(),
})

export type GatherPolicy = z.infer<typeof gatherPolicySchema>
export type ThinkingSettings = Pick<z.infer<typeof memberCardSchema>, 'effort' | 'thinking'> & AnswerSettings
export type MemberCard = z.infer<typeof memberCardSchema>
export type ResolvedTeam = z.infer<typeof resolvedTeamSchema>
/** A resolved team of which no hash was taken: enough to find what is wrong with it. */
export type UnhashedTeam = Omit<ResolvedTeam, 'hash'>
