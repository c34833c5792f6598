import { z } from 'zod'

/** The answer of a model that a hook asked. */
export const verdictSchema = z.object({
  ok: z.boolean(),
  reason: z.string().optional(),
  /** The agent can never meet the condition. */
  impossible: z.boolean().optional(),
})
export type HookVerdict = z.infer<typeof verdictSchema>

/** A change of permissions that a hook asks for, in the words of `updatedPermissions`. */
export const proposalSchema = z.union([
  z.object({
    type: z.enum(['addRules', 'replaceRules', 'removeRules']),
    rules: z.array(z.object({ toolName: z.string(), ruleContent: z.string().optional() })),
    behavior: z.string().catch('allow'),
    destination: z.string().catch('localSettings'),
  }),
  z.object({ type: z.literal('setMode'), mode: z.string() }),
  z.object({ type: z.enum(['addDirectories', 'removeDirectories']), directories: z.array(z.string()) }),
])
export type HookProposal = z.infer<typeof proposalSchema>

const text = z.string().optional()
const fields = z.record(z.string(), z.unknown()).optional()
const context = { additionalContext: text } as const
const elicited = { action: z.enum(['accept', 'decline', 'cancel']).optional(), content: fields } as const
const watched = { watchPaths: z.array(z.string()).optional() } as const

const permissionSchema = z.object({
  behavior: z.enum(['allow', 'deny']),
  message: text,
  interrupt: z.boolean().optional(),
  updatedInput: fields,
  updatedPermissions: z.array(z.unknown()).optional(),
})

/** The fields of `hookSpecificOutput` that some event reads. */
const ownSchema = z.object({
  ...context,
  ...elicited,
  ...watched,
  permissionDecision: z.enum(['deny', 'defer', 'ask', 'allow']).optional(),
  permissionDecisionReason: text,
  updatedInput: fields,
  updatedToolOutput: z.unknown().optional(),
  updatedMCPToolOutput: z.unknown().optional(),
  decision: permissionSchema.optional(),
  retry: z.boolean().optional(),
  displayContent: text,
  worktreePath: text,
})
type Own = keyof typeof ownSchema.shape

/** The fields of it that each event reads; other events read none. */
const ownFields: Readonly<Record<string, readonly Own[] | undefined>> = {
  SessionStart: ['additionalContext', 'watchPaths'],
  UserPromptSubmit: ['additionalContext'],
  UserPromptExpansion: ['additionalContext'],
  PreToolUse: ['permissionDecision', 'permissionDecisionReason', 'updatedInput', 'additionalContext'],
  PermissionRequest: ['decision'],
  PermissionDenied: ['retry'],
  PostToolUse: ['additionalContext', 'updatedToolOutput', 'updatedMCPToolOutput'],
  PostToolUseFailure: ['additionalContext'],
  PostToolBatch: ['additionalContext'],
  SubagentStart: ['additionalContext'],
  SubagentStop: ['additionalContext'],
  Stop: ['additionalContext'],
  Elicitation: ['action', 'content'],
  ElicitationResult: ['action', 'content'],
  CwdChanged: ['watchPaths'],
  FileChanged: ['watchPaths'],
  MessageDisplay: ['displayContent'],
  WorktreeCreate: ['worktreePath'],
}

const replySchema = z.object({
  continue: z.boolean().optional(),
  stopReason: text,
  suppressOutput: z.boolean().optional(),
  systemMessage: text,
  decision: z.enum(['approve', 'block']).optional(),
  reason: text,
})

/** An answer as it was understood: the fields of every event, and those of its own. */
export type HookReply = z.infer<typeof replySchema> & { readonly own: Partial<z.infer<typeof ownSchema>> }

/**
 * Reads the JSON of a hook's answer. What an event does not read is passed over; what it reads has to be of its type.
 *
 * @returns the answer, or what is wrong with it
 * @example readReply('Stop', { decision: 'block', reason: 'tests fail' })
 */
export function readReply(event: string, said: object): HookReply | { readonly wrong: string } {
  const reply = replySchema.safeParse(said)
  if (!reply.success) return { wrong: wordsOf(reply.error) }
  const specific: unknown = 'hookSpecificOutput' in said ? said.hookSpecificOutput : undefined
  if (specific === undefined) return { ...reply.data, own: {} }
  const named = z.object({ hookEventName: z.string() }).safeParse(specific)
  if (!named.success) return { wrong: `hookSpecificOutput needs hookEventName: "${event}"` }
  const { hookEventName: name } = named.data
  // A card's Stop hook runs at SubagentStop.
  if (name !== event && !(name === 'Stop' && event === 'SubagentStop'))
    return { wrong: `hookSpecificOutput is for ${name}, not for ${event}` }
  const mask = Object.fromEntries((ownFields[event] ?? []).map((field) => [field, true as const]))
  const own = ownSchema.pick(mask as Record<Own, true>).safeParse(specific)
  return own.success ? { ...reply.data, own: own.data } : { wrong: wordsOf(own.error) }
}

function wordsOf({ issues: [issue] }: z.ZodError): string {
  return `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'it is no answer'}`
}
