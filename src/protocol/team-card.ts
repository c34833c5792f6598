import { z } from 'zod'
import { nameSchema } from './ids.ts'
import { permissionModes, ruleListsSchema } from './permission.ts'

/** The team file as people write it (DESIGN §3). Every object is strict: an unknown key is a mistake. */

const text = z.string().min(1, 'must not be empty')

export const durationSchema = z.string().regex(/^\d+(ms|s|m|h)$/, 'must be a duration such as 30s, 10m or 2h')
export const modelNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]*\/.+$/, 'must be provider/model, e.g. anthropic/… or scripted/file.yaml')

export const executorKinds = ['in-process', 'process', 'tmux', 'terminal', 'auto'] as const
export const restartKinds = ['never', 'on-crash', 'always'] as const
export const isolationKinds = ['none', 'worktree'] as const
export const partitions = ['enforced', 'relaxed'] as const

export const budgetSchema = z.strictObject({
  usd: z.number().positive().optional().describe('Dollars that may be spent.'),
  turns: z.number().int().positive().optional().describe('Model answers that may be asked for.'),
  minutes: z.number().positive().optional().describe('Wall-clock minutes.'),
  agents: z.number().int().positive().optional().describe('Members that may ever be started.'),
})

export const permissionsSchema = z.strictObject({
  mode: z.enum(permissionModes).optional().describe('What happens to a call that no rule names (default: default).'),
  allow: ruleListsSchema.shape.allow.describe(
    'Rules for calls that need no question; they count only in a trusted workspace.',
  ),
  ask: ruleListsSchema.shape.ask.describe('Rules for calls that are always asked about.'),
  deny: ruleListsSchema.shape.deny.describe('Rules for calls that never happen, e.g. `Bash(git push:*)`.'),
})

export const gatherSchema = z.strictObject({
  wait: z
    .union([
      z.literal('all'),
      z.literal('any'),
      z.literal('progressive'),
      z.strictObject({ quorum: z.number().int().positive() }),
    ])
    .optional()
    .describe('How many results the coordinator waits for before it writes its answer (default: all).'),
  timeout: durationSchema.optional().describe('Longest wait for a whole round of requests (default: 10m).'),
  on_failure: z
    .strictObject({
      retry: z
        .number()
        .int()
        .nonnegative()
        .optional()
        .describe('How often a failed request is tried again (default: 1).'),
      then: z.enum(['continue', 'fail']).optional().describe('What follows when it still fails (default: continue).'),
    })
    .optional()
    .describe('What a failed request leads to.'),
})

const memberFields = {
  description: text.optional().describe('What the coordinator is told about this member.'),
  prompt: text.optional().describe('The system prompt of this member.'),
  from: text
    .optional()
    .describe(
      'A subagent card (markdown with frontmatter) or worker card (YAML) that fills in what is not said here; relative to this file.',
    ),
  tools: z.array(text).optional().describe('Names of the tools this member may use; none are implied.'),
  model: modelNameSchema.optional().describe('provider/model of this member (default: the model of the team).'),
  permissions: permissionsSchema.optional().describe('Narrows what the team allows, for this member.'),
  budget: budgetSchema.optional().describe('Limits of this member, inside those of the team.'),
  max_turns: z.number().int().positive().optional().describe('Model answers per piece of work (default 40).'),
}

export const coordinatorSchema = z.strictObject({
  name: nameSchema.optional().describe('Its name (default: lead).'),
  ...memberFields,
  gather: gatherSchema.optional().describe('When the results of its workers are enough.'),
})

export const workerSchema = z.strictObject({
  ...memberFields,
  executor: z.enum(executorKinds).optional().describe('Where this worker runs (default: in-process).'),
  isolation: z.enum(isolationKinds).optional().describe('worktree gives it a git worktree of its own (default: none).'),
  restart: z.enum(restartKinds).optional().describe('When a dead worker is started again (default: on-crash).'),
  replicas: z
    .number()
    .int()
    .min(1)
    .max(64)
    .optional()
    .describe('How many of it (default: 1); more than one gives name-1 … name-n.'),
})

export const teamFileSchema = z.strictObject({
  name: nameSchema.describe('The team: every member is known as name@team.'),
  description: text.optional().describe('What the team is for, in a sentence.'),
  model: modelNameSchema
    .optional()
    .describe('provider/model for every member, e.g. scripted/answers.yaml; `--model` and TROUPE_MODEL override it.'),
  budget: budgetSchema.optional().describe('Hard limits of a whole run.'),
  partition: z
    .enum(partitions)
    .optional()
    .describe('relaxed lets the coordinator hold domain tools (default: enforced).'),
  scope: z.array(text).optional().describe('Directories that may never be left, relative to the working directory.'),
  permissions: permissionsSchema
    .optional()
    .describe('What the members may do, beside the settings of person and project.'),
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
  wait: z.union([
    z.literal('all'),
    z.literal('any'),
    z.literal('progressive'),
    z.object({ quorum: z.number().int().positive() }),
  ]),
  timeout_ms: z.number().positive(),
  retry: z.number().int().nonnegative(),
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
  tools: z.array(z.string()),
  model: z.string(),
  permissions: permissionsSchema,
  budget: budgetSchema,
  executor: z.enum(executorKinds),
  isolation: z.enum(isolationKinds),
  restart: z.enum(restartKinds),
  max_turns: z.number().int().positive(),
})

/** What a run freezes: two runs with the same hash ran the same team. */
export const resolvedTeamSchema = z.object({
  name: nameSchema,
  description: z.string(),
  /** Absolute path of the team file. */
  file: z.string(),
  budget: budgetSchema,
  partition: z.enum(partitions),
  scope: z.array(z.string()),
  permissions: permissionsSchema,
  gather: gatherPolicySchema,
  coordinator: nameSchema,
  members: z.array(memberCardSchema).min(2),
  hash: z.string(),
})

export type GatherPolicy = z.infer<typeof gatherPolicySchema>
export type MemberCard = z.infer<typeof memberCardSchema>
export type ResolvedTeam = z.infer<typeof resolvedTeamSchema>
