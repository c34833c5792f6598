import { assign, emit, enqueueActions, setup } from 'xstate'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { FactOf } from '../../src/protocol/facts/fact.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'
import type { CheckEvidenceInput, CheckEvidenceOutput } from '../../src/protocol/work/task-port.ts'
import type { Evidence, TaskEnding, TaskPolicy, TaskState } from '../../src/protocol/work/task.ts'
import { missingEvidence } from '../../src/rules/team/task-evidence.ts'
import { delayUntil } from '../actors/alarm.ts'
import { port } from '../actors/port.ts'

/** The source of a task; a task that a journal already knows brings its earlier state. */
export interface TaskInput {
  readonly task: number
  readonly author: string
  readonly policy: TaskPolicy
  /** Tasks that have to be done before this one can be claimed. */
  readonly blockers: readonly number[]
  readonly recalled?: Recalled
}

export interface Recalled {
  readonly state: TaskState
  readonly by: string | null
  readonly epoch: number
  readonly until: Millis
  readonly evidence: readonly Evidence[]
  readonly unaware: readonly string[]
  readonly at: Millis
}

interface Asked {
  /** The member that asks. */
  readonly by: string
  /** The mail it asked with; the fact that answers names it. */
  readonly mail_id: string
  readonly at: Millis
}

/** Asks of members to a task. */
type Ask =
  | ({ readonly type: 'claim' } & Asked)
  | ({ readonly type: 'submit'; readonly evidence: readonly Evidence[] } & Asked)
  | ({ readonly type: 'reject'; readonly reason: string } & Asked)
  | ({ readonly type: 'cancel'; readonly reason: string } & Asked)

export type TaskEvent =
  | Ask
  | { readonly type: 'blocker.ended'; readonly task: number; readonly status: TaskEnding; readonly at: Millis }
  | { readonly type: 'member.lost'; readonly member: string; readonly reason: string; readonly at: Millis }

type AnyEvent =
  | TaskEvent
  | { readonly type: 'lease.expired'; readonly epoch: number; readonly at: Millis }
  | { readonly type: 'xstate.done.actor.check'; readonly output: CheckEvidenceOutput }
  | { readonly type: 'xstate.error.actor.check'; readonly error: unknown }

export interface TaskContext {
  readonly task: number
  readonly author: string
  readonly policy: TaskPolicy
  readonly blockers: readonly number[]
  readonly recalled: Recalled | null
  /** The holder, or the author of the work that is under review. */
  readonly by: string | null
  /** Counts claims: an older holder is nobody any more. */
  readonly epoch: number
  readonly until: Millis
  readonly evidence: readonly Evidence[]
  /** The submission or confirmation that is being checked. */
  readonly asked: string
  /** The member that confirmed the task last. */
  readonly confirmer: string | null
  /** Why the claim ended while the evidence was being checked. */
  readonly lapsed: string | null
  /** Members whose claim ended by itself and that were not told since: they speak of the task as of their own work. */
  readonly unaware: readonly string[]
}

type Emitted = FactOf<
  'task.opened' | 'task.claimed' | 'task.released' | 'task.submitted' | 'task.finished' | 'task.refused'
>

interface Told {
  readonly context: TaskContext
  readonly event: AnyEvent
}

const isAsk = (event: AnyEvent): event is Ask => 'mail_id' in event

const isGood = ({ event }: { event: AnyEvent }): boolean => event.type === 'xstate.done.actor.check' && event.output.ok

const remaining = ({ context, event }: Told): readonly number[] =>
  event.type === 'blocker.ended' ? context.blockers.filter((task) => task !== event.task) : context.blockers

/** Why an ask cannot be met where the task stands; said to the asker, who then knows what to do. */
const refusals: Readonly<Record<TaskState | 'confirming', (context: TaskContext) => string>> = {
  blocked: ({ blockers }) => `it waits for ${blockers.map((task) => `task ${task}`).join(', ')}.`,
  open: () => 'nobody holds it: claim it first.',
  claimed: ({ by }) => `${by} holds it.`,
  verifying: ({ by }) => `the evidence that ${by} gave is being checked.`,
  review: ({ by }) => `${by} did it; it waits for another member to confirm it.`,
  confirming: ({ confirmer }) => `${confirmer} confirms it; its evidence is being checked.`,
  done: ({ by }) => `it is done, by ${by}.`,
  failed: () => 'it has failed; create a new task to try again.',
  cancelled: () => 'it was cancelled.',
}

/** The reason for the end of a claim whose lease ran out. */
const outOfTime = 'its time ran out'

/** The input of the port `check`. */
export function evidenceIn({ task, by, evidence, policy }: TaskContext): CheckEvidenceInput {
  return { task, by: by ?? '', evidence, checks: policy.checks }
}

/** The words of the task machine. `task.ts` says when each is used. */
export const taskSetup = setup({
  types: {
    context: {} as TaskContext,
    events: {} as AnyEvent,
    input: {} as TaskInput,
    emitted: {} as Emitted,
  },
  actors: { check: port<CheckEvidenceOutput, CheckEvidenceInput>('check') },
  guards: {
    // A check that was under way was never answered: the holder submits again.
    wasClaimed: ({ context }) => context.recalled?.state === 'claimed' || context.recalled?.state === 'verifying',
    wasInReview: ({ context }) => context.recalled?.state === 'review',
    isFree: ({ context }) => context.blockers.length === 0,
    blocksNoMore: (told) => told.event.type === 'blocker.ended' && remaining(told).length === 0,
    canNeverBegin: ({ context, event }) =>
      event.type === 'blocker.ended' && event.status !== 'done' && context.blockers.includes(event.task),
    isHolder: ({ context, event }) => isAsk(event) && event.by === context.by,
    lacksEvidence: ({ context, event }) =>
      event.type === 'submit' && missingEvidence(event.evidence, context.policy) !== null,
    isStranger: ({ context, event }) => isAsk(event) && event.by !== context.by,
    isUnaware: ({ context, event }) => isAsk(event) && context.unaware.includes(event.by),
    losesHolder: ({ context, event }) => event.type === 'member.lost' && event.member === context.by,
    isThisLease: ({ context, event }) => event.type === 'lease.expired' && event.epoch === context.epoch,
    mayCancel: ({ context, event }) => isAsk(event) && (event.by === context.author || event.by === context.by),
    holds: isGood,
    holdsForReview: (told) => isGood(told) && told.context.policy.review,
    hasLapsed: ({ context }) => context.lapsed !== null,
  },
  actions: {
    unblock: assign({ blockers: remaining }),
    stateOpen: emit(({ context }) => ({ type: 'task.opened' as const, task: context.task })),
    claim: enqueueActions(({ context, event, enqueue }) => {
      if (event.type !== 'claim') return
      const { by, mail_id, at } = event
      const epoch = context.epoch + 1
      const until = at + context.policy.lease_ms
      enqueue.assign({ by, epoch, until, unaware: context.unaware.filter((name) => name !== by) })
      enqueue.emit({ type: 'task.claimed', task: context.task, by, epoch, until, mail_id })
      enqueue.raise({ type: 'lease.expired', epoch, at: until }, { delay: delayUntil(until, at) })
    }),
    /** Deadlines outlive the process: a lease that ran out meanwhile ends at once. */
    rearm: enqueueActions(({ context, enqueue }) => {
      if (!context.recalled) return
      const { epoch, until, at } = context.recalled
      enqueue.raise({ type: 'lease.expired', epoch, at: until }, { delay: delayUntil(until, at) })
    }),
    keepSubmission: assign(({ event }) =>
      event.type === 'submit' ? { evidence: event.evidence, asked: event.mail_id, lapsed: null } : {},
    ),
    keepConfirmation: assign(({ event }) => (isAsk(event) ? { asked: event.mail_id, confirmer: event.by } : {})),
    noteLapse: assign(({ event }) => ({ lapsed: releaseReason(event) })),
    releaseLapsed: enqueueActions(({ context, enqueue }) => {
      const { task, by, epoch, lapsed } = context
      enqueue.emit({ type: 'task.released', task, by: by ?? '', epoch, reason: lapsed ?? '' })
      enqueue.assign({ by: null, unaware: [...context.unaware, by ?? ''] })
    }),
    /** A holder that did not end the claim by an ask of its own does not know of that yet. */
    release: enqueueActions(({ context: { task, by, epoch, unaware }, event, enqueue }) => {
      const answered = isAsk(event) ? { mail_id: event.mail_id } : {}
      enqueue.emit({ type: 'task.released', task, by: by ?? '', epoch, reason: releaseReason(event), ...answered })
      enqueue.assign({ by: null, unaware: isAsk(event) ? unaware : [...unaware, by ?? ''] })
    }),
    stateSubmission: emit(({ context }) => ({
      type: 'task.submitted' as const,
      task: context.task,
      by: context.by ?? '',
      evidence: [...context.evidence],
      mail_id: context.asked,
    })),
    finishDone: emit(({ context, event }) => finishedFact(context, event, 'done')),
    finishFailed: emit(({ context, event }) => finishedFact(context, event, 'failed')),
    finishCancelled: emit(({ context, event }) => finishedFact(context, event, 'cancelled')),
    refuse: emit(({ context, event }, { state }: { state: keyof typeof refusals }) => ({
      type: 'task.refused' as const,
      task: context.task,
      mail_id: isAsk(event) ? event.mail_id : context.asked,
      reason: `Task ${context.task}: ${refusals[state](context)}`,
    })),
    enlighten: enqueueActions(({ context: { task, by, unaware }, event, enqueue }) => {
      if (!isAsk(event)) return
      const reason = `Task ${task}: your claim had ended, and ${by} did it since. To confirm that, look at it first, then say it again.`
      enqueue.emit({ type: 'task.refused', task, mail_id: event.mail_id, reason })
      enqueue.assign({ unaware: unaware.filter((name) => name !== event.by) })
    }),
    refuseCancel: emit(({ context, event }) => ({
      type: 'task.refused' as const,
      task: context.task,
      mail_id: isAsk(event) ? event.mail_id : '',
      reason: `Task ${context.task}: only ${context.author}, who created it, or who holds it may cancel it.`,
    })),
    refuseEvidence: emit(({ context, event }) => ({
      type: 'task.refused' as const,
      task: context.task,
      mail_id: isAsk(event) ? event.mail_id : context.asked,
      reason: `Task ${context.task}: ${complaint(context, event)}`,
    })),
  },
})

function finishedFact(context: TaskContext, event: AnyEvent, status: TaskEnding): FactOf<'task.finished'> {
  const { task, by, author } = context
  const mail_id = answeredMail(context, event)
  const reason = endReason(event)
  return {
    type: 'task.finished',
    task,
    by: by ?? (isAsk(event) ? event.by : author),
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(status === 'done' ? doneBy(context) : {}),
    ...(mail_id === null ? {} : { mail_id }),
  }
}

function doneBy({ evidence, confirmer }: TaskContext) {
  return { evidence: [...evidence], ...(confirmer === null ? {} : { confirmed_by: confirmer }) }
}

function releaseReason(event: AnyEvent): string {
  if (event.type === 'reject') return `${event.by} did not confirm it: ${event.reason}`
  return event.type === 'member.lost' ? event.reason : outOfTime
}

function endReason(event: AnyEvent): string | undefined {
  if (event.type === 'reject' || event.type === 'cancel') return event.reason
  if (event.type !== 'blocker.ended') return undefined
  return `it waited for task ${event.task}, which ${event.status === 'failed' ? 'failed' : 'was cancelled'}`
}

/** The mail that an ending answers: the ask itself, or the submission whose check came back; null for neither. */
function answeredMail({ asked }: TaskContext, event: AnyEvent): string | null {
  if (isAsk(event)) return event.mail_id
  return event.type === 'xstate.done.actor.check' ? asked : null
}

function complaint({ policy }: TaskContext, event: AnyEvent): string {
  if (event.type === 'submit') return missingEvidence(event.evidence, policy) ?? ''
  if (event.type === 'xstate.done.actor.check') return event.output.ok ? '' : event.output.reason
  return 'error' in event ? `the evidence could not be checked: ${errorText(event.error)}` : ''
}
