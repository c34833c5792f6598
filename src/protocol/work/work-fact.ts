import { z } from 'zod'
import { todoSchema } from './todo.ts'

/* Facts of what stands around a member's work and is no part of its conversation; they stand in that member's journal. */

/** When a member's work is checked: after a turn that changed something, or when it would stop. */
export const verifyMoments = ['change', 'end'] as const
export type VerifyMoment = (typeof verifyMoments)[number]

/**
 * Reasons for which a member turned to a stronger model: its own word, calls that could not be made, or going in
 * circles.
 */
export const escalationTriggers = ['marker', 'errors', 'loop', 'task'] as const
export type EscalationTrigger = (typeof escalationTriggers)[number]

export const verdicts = ['passed', 'failed', 'not_run'] as const

const call = { call_id: z.string(), command: z.string() }

export const workFacts = [
  /** The command that checks the work is to run; whether it may is found out next. */
  z.object({ type: z.literal('verify.started'), ...call }),
  /** `reason`, `why`: of a check that did not run, unless its member left it. What a failed one printed stands in the conversation. */
  z.object({
    type: z.literal('verify.settled'),
    ...call,
    after: z.enum(verifyMoments),
    verdict: z.enum(verdicts),
    duration_ms: z.number().nonnegative(),
    reason: z.string().optional(),
    why: z.enum(['denied', 'not_started']).optional(),
  }),
  /** A stronger model goes on in the place of the member's own, for the rest of the piece of work. */
  z.object({
    type: z.literal('model.escalated'),
    turn: z.number().int().nonnegative(),
    from: z.string(),
    to: z.string(),
    trigger: z.enum(escalationTriggers),
    reason: z.string().optional(),
  }),
  /** The member chose to plan first: it changes nothing before a plan is approved. */
  z.object({ type: z.literal('plan.entered'), call_id: z.string(), reason: z.string() }),
  /** The plan that this call proposed was approved: plan mode is over for this piece of work. `plan`: its words. */
  z.object({ type: z.literal('plan.approved'), call_id: z.string(), plan: z.string().optional() }),
  /** The member's todo list is this one from now on. */
  z.object({ type: z.literal('todos.changed'), call_id: z.string(), todos: z.array(todoSchema) }),
] as const
