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
  }),
  z.object({ type: z.literal('setMode'), mode: z.string() }),
  z.object({ type: z.enum(['addDirectories', 'removeDirectories']), directories: z.array(z.string()) }),
])
export type HookProposal = z.infer<typeof proposalSchema>
