import { z } from 'zod'
import { providersSchema } from '../words/provider-spec.ts'
import { hookLimitsSchema, hookSchema, hookSources } from '../hooks/hook.ts'
import { nameSchema } from '../words/ids-schema.ts'
import type { Policy } from '../permissions/permission.ts'

/** The part of a worker's orders that the worker says back before it begins, and that its leader compares. */
export const manifestSchema = z.object({
  model: z.string(),
  tools: z.array(z.string()),
  /** SHA-256 of the policy, in hex. */
  policy: z.string(),
  cwd: z.string(),
  /** Of the worktree that is its own. */
  branch: z.string().optional(),
})

/** `begin`: say hello and wait. `work`: you were understood. `leave`: end in order. */
export const standingOrders = ['begin', 'work', 'leave', 'halt'] as const

const limit = z.number().int().nonnegative().nullable()

/**
 * The part of the team's budget that a worker may spend in all, over all its lives; dollars in millionths, null for no
 * limit.
 */
export const leaseSchema = z.object({
  usd: limit,
  tokens: limit,
  turns: limit,
  /** How often the worker had rested in this life when it was given: with each rest it gives back what it has. */
  rests: z.number().int().nonnegative(),
})
export type BudgetLease = z.infer<typeof leaseSchema>

/** `orders/<name>.json`: what the leader wants of a worker in another process; the leader replaces it as a whole. */
export const ordersSchema = z.object({
  member: nameSchema,
  /** The life that is meant; whoever is another one leaves. */
  incarnation: z.string().length(26),
  executor: z.string(),
  standing: z.enum(standingOrders),
  /** The life before was stopped: this one begins from nothing. */
  fresh: z.literal(true).optional(),
  /** A person restarted it: no call is made again that had begun. */
  restarted: z.literal(true).optional(),
  /** Why it is to leave. */
  reason: z.string().nullable(),
  manifest: manifestSchema,
  policy: z.custom<Policy>((value) => typeof value === 'object' && value !== null),
  /** Absent where nothing is limited. */
  lease: leaseSchema.optional(),
  /** Whether somebody may answer what it asks, and how long a question waits; null for as long as it takes. */
  questions: z.object({
    reachable: z.boolean(),
    wait_ms: z.number().nullable(),
    /** The model that judges calls which no rule decides. */
    classifier: z.string().nullable(),
  }),
  /** Trusted parts of the workspace: these texts, or all of it. */
  trusted: z.union([z.literal('all'), z.array(z.string())]),
  /** Servers of models by name, as the settings have them. */
  providers: providersSchema.optional(),
  /** The hooks that run; absent where there are none. */
  hooks: z.array(hookSchema).optional(),
  /** Sources whose hooks are switched off; absent where there are none. */
  hooks_off: z.array(z.enum(hookSources)).optional(),
  /** Lists that bind hooks which are servers. */
  hook_limits: hookLimitsSchema.optional(),
  /** The user's directory, where the run's key is. */
  home: z.string(),
})

export type Manifest = z.infer<typeof manifestSchema>
export type Orders = z.infer<typeof ordersSchema>
