import { z } from 'zod'
import { changeFacts } from './change-fact.ts'
import { contextFacts, promptPrintSchema } from './context-fact.ts'
import { callFacts, storedResultSchema, touchedFileSchema } from '../tools/call-fact.ts'
import { continueReasons, terminalReasons } from '../conversation/agent-event.ts'
import { lifeFacts } from './life-fact.ts'
import { replyFacts } from '../mail/reply-fact.ts'
import { contractSchema, envelopeSchema, mailKinds, shownSchema } from '../mail/envelope.ts'
import { failureSchema } from '../conversation/failure.ts'
import { attachmentsSchema, callEndingShape, messageSchema } from '../conversation/message.ts'
import { asides, modelFacts } from '../models/model-fact.ts'
import { choiceFacts } from '../work/choice-ask.ts'
import { leaseSchema } from '../work/orders.ts'
import { commonFacts } from './notice-fact.ts'
import { decisionSchema } from '../permissions/permission-schema.ts'
import { skillFacts } from '../skills/skill.ts'
import { evidenceSchema, taskIdSchema } from '../work/task.ts'
import { workFacts } from '../work/work-fact.ts'

/**
 * All facts that can happen. A fact is said in the past tense, journaled before any fold or screen sees it, and never
 * edited. A new fact is one line here; the compiler shows every fold that must care.
 */

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

const ms = z.number().nonnegative()
const turn = z.number().int().nonnegative()
const budgetScope = z.enum(['team', 'member', 'lease'])

/** Why a member rests: its own requests are out, a question of its own is unanswered, or neither. */
export const idleReasons = ['nothing_to_do', 'waiting_for_results', 'waiting_for_answer'] as const
export type IdleReason = (typeof idleReasons)[number]

/** Facts of one agent's conversation; they live in that member's journal. */
export const agentFacts = [
  fact('agent.started', {}),
  fact('message.appended', { message: messageSchema }),
  /** The entry with this id is gone for model, screen and transcript (orphaned partial after a fallback). */
  fact('message.tombstoned', { target: z.string() }),
  ...contextFacts,
  ...changeFacts,
  ...skillFacts,
  ...modelFacts,
  /** Four fifths of a limit are used; said once for each. */
  fact('budget.warned', { scope: budgetScope, unit: z.enum(['usd', 'tokens', 'turns']) }),
  /**
   * A call was not made because this limit has no room for it, or a round ended for the coordinator's report; `last`: not
   * even for a final report, `aside`: it was to ask another model, and the member goes on without.
   */
  fact('budget.exhausted', {
    scope: budgetScope,
    unit: z.enum(['usd', 'tokens', 'turns', 'minutes']),
    last: z.boolean(),
    aside: z.enum(asides).optional(),
  }),
  fact('turn.continued', { turn, reason: z.enum(continueReasons) }),
  fact('call.started', { call_id: z.string(), tool: z.string() }),
  /**
   * A person, or a stand-in, has to decide about this call; `request` names the files that hold the question. An agent without
   * a team asks its program, and names the call.
   */
  fact('permission.requested', {
    call_id: z.string(),
    tool: z.string(),
    request: z.string(),
    decision: decisionSchema,
    deadline: z.number().nullable(),
  }),
  /** `asked`: what the rules said before somebody was asked; `by`: which face or member answered. */
  fact('permission.decided', {
    call_id: z.string(),
    tool: z.string(),
    decision: decisionSchema,
    asked: decisionSchema.optional(),
    request: z.string().optional(),
    by: z.string().optional(),
    /** The input as the approver changed it. */
    updated_input: z.unknown().optional(),
  }),
  /** `stored`: where the whole result is, when the model was shown a part. `file`: what it read whole or changed. */
  fact('call.finished', {
    call_id: z.string(),
    tool: z.string(),
    ...callEndingShape,
    duration_ms: ms,
    stored: storedResultSchema.optional(),
    file: touchedFileSchema.optional(),
  }),
  ...callFacts,
  ...workFacts,
  fact('agent.parked', { turn }),
  fact('agent.ended', { turn, reason: z.enum(terminalReasons), failure: failureSchema.optional() }),
] as const

/** Facts of mail; written by the mailbox through the owner's journal. */
export const mailFacts = [
  fact('mail.sent', { envelope: envelopeSchema }),
  /** `confirm`: its reader says with `mail.handled` when it is done with it. `shown`: what of it the model sees. */
  fact('mail.received', {
    envelope: envelopeSchema,
    confirm: z.literal(true).optional(),
    shown: shownSchema.optional(),
    /** Images and documents that came with it. */
    attached: attachmentsSchema.optional(),
  }),
  fact('mail.handled', { mail_id: z.string() }),
  /**
   * `kind` and `from` only when they can be believed; `attempts` when it was tried more than once; `left`: the file could
   * not be moved and is still where it was.
   */
  fact('mail.died', {
    file: z.string(),
    mail_id: z.string().optional(),
    reason: z.string(),
    kind: z.enum(mailKinds).optional(),
    from: z.string().optional(),
    attempts: z.number().int().positive().optional(),
    left: z.literal(true).optional(),
  }),
] as const

/** Facts of a member's life, in its own journal. */
export const memberFacts = [
  fact('member.started', {
    incarnation: z.string(),
    executor: z.string(),
    pid: z.number().int(),
    /** SHA-256 of the policy that it started under. */
    policy: z.string().optional(),
    /** The sections of the prompt that it started with. */
    prompt: promptPrintSchema.optional(),
  }),
  /** The life that begins has nothing to do with the one before, which was stopped: it knows and owes nothing. */
  fact('member.renewed', {}),
  fact('member.woke', {}),
  /** `reason` is missing in journals of before it was said; `waiting_for` names the members whose word it needs. */
  fact('member.idled', { reason: z.enum(idleReasons).optional(), waiting_for: z.array(z.string()).optional() }),
  ...replyFacts,
  ...choiceFacts,
  fact('member.drained', {}),
  fact('member.gone', { reason: z.string() }),
] as const

/** Facts of the whole team, in `journal/team.jsonl`, written by the leader. */
export const teamFacts = [
  fact('team.started', { run: z.string(), team: z.string(), hash: z.string(), task: z.string() }),
  /** Another process leads the run on. */
  fact('team.resumed', { pid: z.number().int() }),
  /** From here on the team of `team.json` runs, which has this hash; `changes` says in words what it has otherwise. */
  fact('team.changed', { hash: z.string(), changes: z.array(z.string()) }),
  /** The run had ended, and a person has more to say. */
  fact('team.reopened', {}),
  /** Where members run, and why there; `look` is how a person sees them. */
  fact('executor.chosen', {
    executor: z.string(),
    members: z.array(z.string()),
    why: z.string(),
    look: z.string().nullable(),
  }),
  /** A member has this git worktree to itself from now on. */
  fact('worktree.opened', { member: z.string(), tree: z.string(), branch: z.string(), base: z.string() }),
  /** The tree's run is over. `kept`: the tree holds files or commits that stand nowhere else. */
  fact('worktree.closed', {
    member: z.string(),
    tree: z.string(),
    branch: z.string(),
    kept: z.boolean(),
    dirty: turn,
    unmerged: turn,
    /** Branches of the member's own making, which stay. */
    branches: z.array(z.string()).optional(),
  }),
  ...lifeFacts,
  /** The part of the team's budget that a member in another process may spend in all from now on; dollars in millionths. */
  fact('budget.leased', { member: z.string(), lease: leaseSchema }),
  /** The member's process is gone: the unspent part of its lease is the team's again. */
  fact('budget.returned', { member: z.string() }),
  /** Asked for, and not handed out before the requests in `depends_on` are done and a worker may begin; its time runs from then on. */
  fact('request.held', {
    request: z.string(),
    worker: z.string(),
    task: z.string(),
    depends_on: z.array(z.string()),
    limit_ms: ms.nullable(),
    returns: contractSchema.optional(),
    /** Of the call and the subtask that it came from. */
    key: z.string().optional(),
    restrictions: envelopeSchema.shape.restrictions,
  }),
  fact('request.opened', {
    request: z.string(),
    worker: z.string(),
    task: z.string(),
    mail_id: z.string(),
    attempt: z.number().int().positive(),
    deadline: z.number().nullable(),
    returns: contractSchema.optional(),
    /** The substitute has it, and nobody else will be asked; `reason`: why this one did not do it. */
    instead_of: z.object({ worker: z.string(), reason: z.string().optional() }).optional(),
  }),
  fact('request.settled', {
    request: z.string(),
    worker: z.string(),
    status: z.enum(['done', 'failed', 'cancelled', 'timed_out']),
    reason: z.string().optional(),
  }),
  fact('gather.opened', { deadline: z.number() }),
  /** `reason`: of a round that failed, what became of each of its requests. */
  fact('gather.settled', {
    why: z.enum(['all', 'any', 'quorum', 'progressive', 'timeout', 'failed']),
    reason: z.string().optional(),
  }),
  fact('coordinator.moved', { state: z.string(), tools: z.array(z.string()) }),
  fact('lead.nudged', { open: z.array(z.string()) }),
  fact('team.ended', {
    status: z.enum(['completed', 'failed', 'aborted', 'budget', 'permission']),
    reason: z.string(),
    result: z.string().nullable(),
    /** Texts of the lead after its answer, where there are any. */
    afterwards: z.array(z.string()).optional(),
  }),
] as const

/** Facts of the task board, in the team's journal. `mail_id` names the ask that a fact answers, for whoever waits for it. */
export const taskFacts = [
  fact('task.created', {
    task: taskIdSchema,
    subject: z.string(),
    description: z.string().optional(),
    blocked_by: z.array(taskIdSchema),
    author: z.string(),
    mail_id: z.string(),
    restrictions: envelopeSchema.shape.restrictions,
  }),
  /** The last task that blocked this one is done. */
  fact('task.opened', { task: taskIdSchema }),
  fact('task.claimed', {
    task: taskIdSchema,
    by: z.string(),
    epoch: z.number().int().positive(),
    until: z.number(),
    mail_id: z.string(),
  }),
  /** The task's claim ended: the lease ran out, the holder was lost, or a reviewer did not confirm the work. */
  fact('task.released', {
    task: taskIdSchema,
    by: z.string(),
    epoch: z.number().int(),
    reason: z.string(),
    mail_id: z.string().optional(),
  }),
  /** Done by its holder, to be confirmed by another member. */
  fact('task.submitted', {
    task: taskIdSchema,
    by: z.string(),
    evidence: z.array(evidenceSchema),
    mail_id: z.string(),
  }),
  fact('task.finished', {
    task: taskIdSchema,
    by: z.string(),
    status: z.enum(['done', 'failed', 'cancelled']),
    reason: z.string().optional(),
    evidence: z.array(evidenceSchema).optional(),
    confirmed_by: z.string().optional(),
    mail_id: z.string().optional(),
  }),
  fact('task.refused', { task: taskIdSchema.optional(), mail_id: z.string(), reason: z.string() }),
] as const

export const factSchema = z.discriminatedUnion('type', [
  ...agentFacts,
  ...mailFacts,
  ...memberFacts,
  ...teamFacts,
  ...taskFacts,
  ...commonFacts,
])

export type Fact = z.infer<typeof factSchema>
export type FactType = Fact['type']
export type FactOf<Type extends FactType> = Extract<Fact, { type: Type }>
export type RunStatus = FactOf<'team.ended'>['status']
