import { z } from 'zod'
import type { HookReply } from './hook-reply.ts'

/** Hooks as people write them in settings: events, groups with a matcher, and in each the hooks themselves. */

/** Every event of Claude Code, then those that only Troupe has. */
export const hookEvents = [
  'SessionStart',
  'Setup',
  'InstructionsLoaded',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'MessageDisplay',
  'PreToolUse',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Notification',
  'SubagentStart',
  'SubagentStop',
  'TaskCreated',
  'TaskCompleted',
  'Stop',
  'StopFailure',
  'TeammateIdle',
  'ConfigChange',
  'CwdChanged',
  'DirectoryAdded',
  'FileChanged',
  'WorktreeCreate',
  'WorktreeRemove',
  'PreCompact',
  'PostCompact',
  'SessionEnd',
  'Elicitation',
  'ElicitationResult',
  'MessageSend',
  'MessageDeliver',
  'MessageDead',
  'WorkerSpawn',
  'WorkerExit',
  'GatherDone',
  'BudgetThreshold',
  'RunEnd',
] as const
export type HookEvent = (typeof hookEvents)[number]

const shared = {
  /** One permission rule; a hook whose rule does not match the call is not started. */
  if: z.string().optional(),
  /** Seconds. */
  timeout: z.number().positive().optional(),
  statusMessage: z.string().optional(),
  once: z.boolean().optional(),
  /** The hook is not waited for, and its answer decides nothing. */
  async: z.boolean().optional(),
  /** A failure's meaning: `deny` stops what it was asked about, `open` lets it pass with a notice. */
  on_failure: z.enum(['open', 'deny']).optional(),
} as const

export const commandHookSchema = z.object({
  type: z.literal('command'),
  command: z.string().min(1),
  /** With it no shell is started: the command is the program. */
  args: z.array(z.string()).optional(),
  asyncRewake: z.boolean().optional(),
  shell: z.enum(['bash', 'sh', 'powershell']).optional(),
  ...shared,
})

export const httpHookSchema = z.object({
  type: z.literal('http'),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()).optional(),
  allowedEnvVars: z.array(z.string()).optional(),
  ...shared,
})

const promptShape = { prompt: z.string().min(1), model: z.string().optional(), ...shared } as const

const promptHookSchema = z.object({
  type: z.literal('prompt'),
  continueOnBlock: z.boolean().optional(),
  ...promptShape,
})
const agentHookSchema = z.object({ type: z.literal('agent'), ...promptShape })
const mcpToolHookSchema = z.object({
  type: z.literal('mcp_tool'),
  server: z.string().min(1),
  tool: z.string().min(1),
  input: z.record(z.string(), z.unknown()).optional(),
  ...shared,
})

/** Every kind that people write. */
export const hookSpecSchema = z.discriminatedUnion('type', [
  commandHookSchema,
  httpHookSchema,
  promptHookSchema,
  agentHookSchema,
  mcpToolHookSchema,
])

export type CommandHook = z.infer<typeof commandHookSchema>
export type HttpHook = z.infer<typeof httpHookSchema>
/** A hook as people write it in files. */
export type WrittenHook = z.infer<typeof hookSpecSchema>
export type PromptHook = Extract<WrittenHook, { type: 'prompt' | 'agent' }>
export type McpToolHook = Extract<WrittenHook, { type: 'mcp_tool' }>

/** The JSON that a hook reads: the fields of every event, then those of its own. */
export type HookInput = Readonly<Record<string, unknown>> & { readonly hook_event_name: HookEvent }

/** A hook that a program brings along: the answer is the object that a command would print, or nothing. */
export interface FunctionHook extends Pick<CommandHook, keyof typeof shared> {
  readonly type: 'function'
  /** For journals and screens; the function's own name by default. */
  readonly name?: string
  readonly run: (input: HookInput, signal: AbortSignal) => unknown
}

export type HookSpec = WrittenHook | FunctionHook

/**
 * Hooks of a program, in the form of the settings, with functions beside the other kinds:
 * `{ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'function', run: (input) => ({ decision: 'block' }) }] }] }`
 */
export type HookTable = {
  readonly [Event in HookEvent]?: readonly { readonly matcher?: string; readonly hooks: readonly HookSpec[] }[]
}

const strictSpecSchema = z.discriminatedUnion('type', [
  commandHookSchema.strict(),
  httpHookSchema.strict(),
  promptHookSchema.strict(),
  agentHookSchema.strict(),
  mcpToolHookSchema.strict(),
])

/** A table of hooks in a file of ours: an unknown event or key is a mistake. */
export const hookTableSchema = z.partialRecord(
  z.enum(hookEvents),
  z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(strictSpecSchema).min(1) })),
)
export type WrittenTable = z.infer<typeof hookTableSchema>

/** Where hooks are written; `program`: by whoever uses the library. */
export const hookSources = [
  'policy',
  'project',
  'local',
  'user',
  'team',
  'member',
  'skill',
  'plugin',
  'program',
] as const
export type HookSource = (typeof hookSources)[number]

/** One hook with the place where it is written: `at` is `file:line`. */
export const hookSchema = z.object({
  event: z.enum(hookEvents),
  matcher: z.string().nullable(),
  spec: hookSpecSchema,
  source: z.enum(hookSources),
  at: z.string(),
  /** The folder of the plugin or skill that brought it. */
  root: z.string().optional(),
  /** Why it fails without being run. */
  refused: z.string().optional(),
})
export type Hook = Omit<z.infer<typeof hookSchema>, 'spec'> & { readonly spec: HookSpec }

/** Sources that a project brings: whoever clones it did not write them. */
export const ofProject: ReadonlySet<HookSource> = new Set(['project', 'local', 'team', 'member', 'skill'])

/** Lists that bind hooks which are servers; null where there is none. */
const httpLimitSchema = z.object({
  /** Addresses that may be asked; `*` stands for any text. */
  urls: z.array(z.string()).nullable(),
  /** Variables that headers may hold. */
  variables: z.array(z.string()).nullable(),
})
export type HttpLimit = z.infer<typeof httpLimitSchema>

/** The lists that bind every hook, and those that bind what a project brings. */
export const hookLimitsSchema = z.object({ everybody: httpLimitSchema, project: httpLimitSchema })
export type HookLimits = z.infer<typeof hookLimitsSchema>

/** The settings' word on hooks as a whole. */
export interface HookSwitches {
  readonly http: HttpLimit
  /** No hook of this file, and of weaker sources, runs. */
  readonly disableAll: boolean
  /** In the managed policy: only its own hooks run. */
  readonly managedOnly: boolean
}

/** How one run of a hook ended. */
export const hookOutcomes = ['success', 'blocking', 'error', 'cancelled'] as const
export type HookOutcome = (typeof hookOutcomes)[number]

/** The opinion of a PreToolUse hook on a call: `defer` is a question that may wait. */
export type HookDecision = 'deny' | 'defer' | 'ask' | 'allow'

/** The opinion of hooks that a call carries to the rules; a denial has ended the call before. */
export interface HookOpinion {
  readonly behavior: 'ask' | 'allow'
  readonly reason: string
}

/** The decision of a PermissionRequest hook. */
export interface HookPermission {
  readonly behavior: 'allow' | 'deny'
  readonly message: string
  readonly updatedInput?: unknown
  readonly interrupt: boolean
  /** Rules and modes that the hook would have kept, in words; a person decides on them. */
  readonly proposals: readonly string[]
}

/** The answer of one hook, or of all hooks of one event together. */
export interface HookAnswer {
  readonly decision: HookDecision | null
  /** The reason of the decision, or of the block. */
  readonly reason: string
  /** Exit 2, or `decision: "block"`. */
  readonly blocks: boolean
  readonly updatedInput?: unknown
  /** The fields that belong to the event alone, of all hooks together. */
  readonly own?: HookReply['own']
  readonly permission: HookPermission | null
  /** Texts for the model. */
  readonly context: readonly string[]
  /** Texts for the person. */
  readonly notices: readonly string[]
  /** `continue: false`, with its reason. */
  readonly stops: string | null
}
