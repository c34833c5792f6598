import { z } from 'zod'
import { restrictionSchema } from '../permissions/restriction.ts'

/**
 * A task on the team's board: a piece of work that somebody puts up and somebody takes. The leader alone moves tasks;
 * members ask it to. Ids are 1, 2, 3 … in the order of creation and are never used again.
 */
export const taskIdSchema = z.number().int().positive()

/** Proof that a task is done. `rules/team/task-evidence.ts` says what each kind is checked against. */
export const evidenceSchema = z.union([
  z.strictObject({
    command: z.string().min(1).describe('A command that you ran with Bash after claiming the task.'),
    exit_code: z.number().int().describe('The exit code that it ended with.'),
  }),
  z.strictObject({
    file: z.string().min(1).describe('A file that the work produced or changed.'),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('The SHA-256 of its content, in hex.'),
  }),
  z.strictObject({ check: z.string().min(1).describe('The name of a check that the team file declares.') }),
])

export const evidenceKinds = ['command', 'file', 'check'] as const

/** The board's demands on its tasks; the team file's `tasks:` with defaults filled in. */
export const taskPolicySchema = z.object({
  /** Kinds of evidence of which at least one piece must come with `done`; empty when none is asked for. */
  evidence: z.array(z.enum(evidenceKinds)),
  /** Another member than the one who did the work has to confirm it. */
  review: z.boolean(),
  /** How long a claim holds without being renewed. */
  lease_ms: z.number().positive(),
  /** Commands by name that the leader runs when they are given as evidence. */
  checks: z.record(z.string(), z.string()),
})

/** Where a task can be. The last three are for good. */
export const taskStates = ['blocked', 'open', 'claimed', 'verifying', 'review', 'done', 'failed', 'cancelled'] as const

/** A task as the board shows it; `tasks/<n>.json` holds this. */
export const boardTaskSchema = z.object({
  task: taskIdSchema,
  subject: z.string(),
  description: z.string().optional(),
  /** Tasks that have to be done before. */
  blocked_by: z.array(taskIdSchema),
  author: z.string(),
  /** Restrictions of whoever does it: those of its author. */
  restrictions: z.array(restrictionSchema).optional(),
  created_at: z.number(),
  state: z.enum(taskStates),
  /** The member that holds the task, did it or gave it up. */
  by: z.string().nullable(),
  /** How often it was claimed. */
  epoch: z.number().int().nonnegative(),
  /** When the claim ends by itself; 0 when it was never claimed. */
  until: z.number(),
  evidence: z.array(evidenceSchema),
  confirmed_by: z.string().optional(),
  /** Why it was released, failed or cancelled, the last time. */
  reason: z.string().optional(),
  changed_at: z.number(),
})

/** A member's ask of the board, as the body of a mail to the leader. */
export const taskAskSchema = z.discriminatedUnion('ask', [
  z.strictObject({
    ask: z.literal('create'),
    subject: z.string().min(1),
    description: z.string().optional(),
    blocked_by: z.array(taskIdSchema),
  }),
  z.strictObject({ ask: z.literal('claim'), task: taskIdSchema }),
  z.strictObject({ ask: z.literal('submit'), task: taskIdSchema, evidence: z.array(evidenceSchema) }),
  z.strictObject({ ask: z.enum(['reject', 'cancel']), task: taskIdSchema, reason: z.string() }),
])

/** The board as a member's tools reach it. */
export interface TaskPort {
  /** Every task, oldest first. */
  list(): readonly BoardTask[]
  /** Asks the leader and waits for its answer; the same call asks once. Rejects only when the signal aborts. */
  ask(ask: TaskAsk, call: { readonly callId: string; readonly signal: AbortSignal }): Promise<TaskReply>
}

/** The reply to an ask: the present state of the task, or the reason why it did not change. */
export type TaskReply = { readonly task: number; readonly state: TaskState } | { readonly error: string }

export type BoardTask = Readonly<z.infer<typeof boardTaskSchema>>
export type TaskAsk = z.infer<typeof taskAskSchema>
export type Evidence = z.infer<typeof evidenceSchema>
export type EvidenceKind = (typeof evidenceKinds)[number]
export type TaskPolicy = z.infer<typeof taskPolicySchema>
export type TaskState = (typeof taskStates)[number]
export type TaskEnding = 'done' | 'failed' | 'cancelled'
