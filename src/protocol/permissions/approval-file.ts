import { z } from 'zod'
import { agentIdSchema } from '../words/ids-schema.ts'
import { decisionSchema } from './permission-schema.ts'

/**
 * A question about one tool call, as it lies in a run directory until somebody answers it. The two files are the truth;
 * whatever rings only says that one of them is there.
 */

/**
 * `<journal entry of the assistant message>-<n-th call in it>`: the same call of the same member is the same request. A
 * further question of one call has its number behind a dot.
 */
export const approvalIdPattern = /^[a-z][a-z0-9-]*-[1-9]\d*-[1-9]\d*(?:\.[1-9]\d*)?$/

/** Rules that would permit the call from now on; empty where no rule can say it without saying more. */
export const grantsSchema = z.object({
  /** Only this very call again. */
  session: z.array(z.string()),
  /** Calls of its kind, as a settings file would have it: at most five, granted together. */
  save: z.array(z.string()),
})

/** A rule that speaks of the same tool, for whoever has to judge. */
export const nearRuleSchema = z.object({
  behavior: z.enum(['allow', 'ask', 'deny']),
  source: z.string(),
  rule: z.string(),
  /** Says about what of the call it speaks; absent when it does not match. */
  why: z.string().optional(),
})

/** A message of another member that led to the call. */
export const behindSchema = z.object({
  from: z.string(),
  /** The kind of the mail, or which task of the board it is. */
  kind: z.string(),
  /** The beginning of what it says. */
  text: z.string(),
  /** Others for whom the sender acts itself. */
  for: z.array(z.string()).optional(),
})

export const approvalFileSchema = z.object({
  v: z.literal(1),
  id: z.string().regex(approvalIdPattern),
  member: agentIdSchema,
  call_id: z.string(),
  tool: z.string(),
  input: z.unknown(),
  /** The member's task, when it is known. */
  task: z.string().nullable(),
  /** Messages of other members that the call serves. */
  behind: z.array(behindSchema).optional(),
  /** The decision that asked for an approval. */
  decision: decisionSchema,
  near: z.array(nearRuleSchema),
  grants: grantsSchema,
  asked_at: z.number(),
  /** Denied when nobody answered until then. */
  deadline: z.number().nullable(),
})

export const answerSources = ['human', 'nobody', 'hook', 'classifier'] as const
export const answerScopes = ['once', 'session', 'save', 'stop'] as const

export const answerFileSchema = z.object({
  v: z.literal(1),
  id: z.string().regex(approvalIdPattern),
  behavior: z.enum(['allow', 'deny']),
  source: z.enum(answerSources),
  /** For a denial: the advice that the member is given. */
  reason: z.string(),
  /** `session` and `save` also grant rules; `stop` also ends the member's piece of work. */
  scope: z.enum(answerScopes),
  /** Rules to grant instead of those that the request proposes. */
  rules: z.array(z.string()).optional(),
  /** Replaces the call's whole input; it is judged again. */
  updated_input: z.unknown().optional(),
  /** Which face or member answered, in words. */
  by: z.string(),
  at: z.number(),
  /** HMAC-SHA-256 with the run's key over the call that was asked about and all other fields. */
  mac: z.string().optional(),
})

export type Grants = z.infer<typeof grantsSchema>
export type Behind = z.infer<typeof behindSchema>
export type NearRule = z.infer<typeof nearRuleSchema>
export type ApprovalFile = z.infer<typeof approvalFileSchema>
export type AnswerFile = z.infer<typeof answerFileSchema>
export type AnswerScope = (typeof answerScopes)[number]
