import {
  assertEvent,
  enqueueActions,
  setup,
  type AnyEventObject,
  type DoneActorEvent,
  type ErrorActorEvent,
} from 'xstate'
import type { TerminalReason } from '../../src/protocol/conversation/agent-event.ts'
import type {
  AgentOutput,
  AskInput,
  AskOutput,
  CompactInput,
  CompactOutput,
  IntakeInput,
  IntakeOutput,
  StopFailureInput,
  StopHooksInput,
  StopHooksOutput,
  VerifyOutput,
} from '../../src/protocol/port.ts'
import type { CallOutcome } from '../../src/protocol/tools/tool.ts'
import { isStuck } from '../../src/rules/conversation/stuck-loop.ts'
import { unpaidText } from '../../src/rules/team/wind-down-text.ts'
import { hasChanged } from '../../src/rules/team/verification.ts'
import { port } from '../actors/port.ts'
import type { ToolCallCommand } from '../call/call-setup.ts'
import { toolCallMachine } from '../call/tool-call.ts'
import { verificationMachine } from '../call/verification.ts'
import * as acting from './agent-calls.ts'
import * as checks from './agent-checks.ts'
import * as escalation from './agent-escalation.ts'
import type { AgentCommand, AgentContext, AgentFact, AgentInput, AgentStep, Continue } from './agent-state.ts'
import { fitted, shrunk } from './agent-fitting.ts'
import * as ends from './agent-ends.ts'
import * as steps from './agent-steps.ts'

/* The words of the agent machine: its ports, guards and actions by name. `agent.ts` says when each is used. */

/** Recoveries from a cut-off answer that may follow each other. */
const maxRecoveries = 3

/** The output of each port, under the id of its invocation in the chart. */
interface Answers {
  readonly intake: IntakeOutput
  readonly compact: CompactOutput
  readonly ask: AskOutput
  readonly stopHooks: StopHooksOutput
  readonly verify: VerifyOutput
}

type Port = keyof Answers
type AgentEvent =
  | AgentCommand
  | { [Name in Port]: DoneActorEvent<Answers[Name], Name> }[Port]
  | DoneActorEvent<CallOutcome, `${number}`>
  | ErrorActorEvent

interface Told {
  readonly context: AgentContext
  readonly event: AgentEvent
}

/**
 * The output of the port whose end the chart handles here.
 * @throws When the chart uses a guard or an action at the end of another port.
 */
function outputOf<Name extends Port>(event: AnyEventObject, name: Name): Answers[Name] {
  assertEvent(event, `xstate.done.actor.${name}`)
  return (event as DoneActorEvent<Answers[Name]>).output
}

/** A guard at the end of a port: `hears('verify', (_, { verdict }) => verdict === 'passed')`. */
function hears<Name extends Port>(name: Name, asks: (context: AgentContext, output: Answers[Name]) => boolean) {
  return ({ context, event }: Told): boolean => asks(context, outputOf(event, name))
}

/** A pure transition as an action: it replaces the state as a whole and states the facts in order. */
function step(pure: (context: AgentContext, event: AgentEvent) => AgentStep) {
  return enqueueActions<AgentContext, AgentEvent, undefined, AgentEvent, never, never, never, never, AgentFact>(
    ({ context, event, enqueue }) => {
      const { state, facts } = pure(context, event)
      if (state !== context.state) enqueue.assign({ state })
      for (const fact of facts) enqueue.emit(fact)
    },
  )
}

function endWith(reason: TerminalReason) {
  return step((context) => steps.finished(context, { reason }))
}

function goOnWith(next: Continue) {
  return step((context) => steps.planned(context, next))
}

/** The port that rejected, by the id of its invocation. */
function rejection(event: AnyEventObject): ends.Rejection {
  const { actorId, error } = event as ErrorActorEvent
  return { at: actorId, error }
}

/** A command that the calls in flight hear, too. */
function commandOf(event: AgentEvent): ToolCallCommand {
  assertEvent(event, ['abort', 'interrupt', 'steer'])
  const { type, at } = event
  if (type === 'abort') return { type, at, reason: event.reason ?? steps.interruptedText }
  return { type: type === 'steer' ? 'skip' : type, at }
}

/** A pure transition at the end of an answer; the guards before it let nothing else pass. */
function onSettled(pure: (context: AgentContext, answer: steps.Settled) => AgentStep) {
  return step((context, event) => pure(context, outputOf(event, 'ask') as steps.Settled))
}

/** A pure transition at the end of a check that did not pass. */
function onRefuted(pure: (context: AgentContext, refuted: checks.Refuted) => AgentStep) {
  return step((context, event) => pure(context, outputOf(event, 'verify') as checks.Refuted))
}

export const agentSetup = setup({
  types: {
    context: {} as AgentContext,
    input: {} as AgentInput,
    output: {} as AgentOutput,
    events: {} as AgentEvent,
    emitted: {} as AgentFact,
  },
  actors: {
    intake: port<IntakeOutput, IntakeInput>('intake'),
    compact: port<CompactOutput, CompactInput>('compact'),
    ask: port<AskOutput, AskInput>('ask'),
    stopHooks: port<StopHooksOutput, StopHooksInput>('stopHooks'),
    verify: verificationMachine,
    stopFailure: port<void, StopFailureInput>('stopFailure'),
    toolCall: toolCallMachine,
  },
  guards: {
    isUrgent: ({ context }) => context.state.rung === 'interrupt',
    isRung: ({ context }) => context.state.rung !== null,
    mustLookAgain: hears(
      'intake',
      ({ state }, { hold }) => state.rung === 'interrupt' || (hold && state.rung !== null),
    ),
    /** Words of a person end a wait. */
    holds: hears('intake', ({ state }, { hold }) => hold && state.steers.length === 0),
    isAnswerable: hears('intake', ({ state }, { answerable }) => answerable || state.steers.length > 0),
    isHard: hears(
      'intake',
      (context, { answerable, hard }) => answerable && hard === true && escalation.begins(context),
    ),
    hasMail: hears('intake', (_, { received }) => received > 0),
    hasFollowUps: ({ context }) => context.state.followUps.length > 0,
    /** Words of a person that no model call has seen yet. */
    hasQueued: ({ context: { state } }) => state.steers.length + state.followUps.length > 0,
    verifies: ({ context: { card, state } }) => card.verify !== undefined && !state.verified,
    mustVerify: ({ context: { card, state } }) =>
      card.verify?.after_changes === true && hasChanged(state.calls, state.results),
    isHooked: ({ context }) => context.card.hooked,
    isCrowded: hears('ask', (_, { kind }) => kind === 'crowded'),
    isRedirected: hears('ask', (_, answer) => answer.kind !== 'settled'),
    /** The answer that the budget had left has been given. */
    isWoundDown: ({ context }) => context.state.windingDown === 'ends',
    asksTooLate: hears('ask', ({ state }, answer) => state.windingDown === 'ends' && steps.wantsTools(answer)),
    isAborted: ({ context: { state } }) =>
      state.message?.stop === 'aborted' || state.message?.failure?.code === 'aborted',
    hasFailed: ({ context: { state } }) => state.message !== null && !steps.hasAnswered(state.message),
    canShrink: ({ context: { state } }) => state.message?.failure?.code === 'context_exceeded' && state.shrunk === 'no',
    didCompact: hears('compact', (_, { compacted }) => compacted),
    wantsTools: hears('ask', (_, answer) => steps.wantsTools(answer)),
    wantsStronger: hears('ask', escalation.wantsStronger),
    isCutShort: ({ context: { state } }) => steps.isCut(state) && state.recoveries < maxRecoveries,
    isCut: ({ context: { state } }) => steps.isCut(state),
    blocks: hears('stopHooks', (_, { verdict }) => verdict === 'block'),
    prevents: hears('stopHooks', (_, { verdict }) => verdict === 'prevent'),
    isRefuted: hears('verify', (_, { verdict }) => verdict === 'failed'),
    isGivenUp: hears(
      'verify',
      ({ card, state }, { verdict }) => verdict === 'failed' && state.refutals + 1 >= (card.verify?.attempts ?? 1),
    ),
    saysStop: hears('verify', (_, output) => output.verdict === 'none' && output.stop),
    isVerified: hears('verify', (_, { verdict }) => verdict === 'passed'),
    isShortOfGoal: ({ context }) => steps.weighed(context)?.verdict === 'continue',
    isDiminishing: ({ context }) => steps.weighed(context)?.diminishing === true,
    owesAnswer: hears('intake', ({ state }, { owes = false }) => owes && !state.reminded),
    isUnanswered: hears('intake', (_, { owes = false }) => owes),
    hasProof: ({ context }) => context.state.verified,
    isOutOfTurns: ({ context: { card, state } }) => state.next.counts && state.turn + 1 > card.limits.max_turns,
    isLastTurn: ({ context: { card, state } }) => state.turn + 1 > card.limits.max_turns,
    mustLook: ({ context: { state } }) => state.rung !== null || acting.mayWait(state),
    isBatchOver: ({ context }) => context.state.running === 0,
    areCallsOver: ({ context: { state } }) =>
      state.running === 0 && (state.stopped !== null || state.skips || state.batch + 1 >= state.batches.length),
    isSkipped: hears('intake', ({ state }, { urgent = false }) => state.skips || urgent),
    isStopped: ({ context }) => context.state.stopped !== null,
    hasReported: ({ context }) => acting.hasReported(context.state),
    hasCrashed: ({ context }) => context.state.end.failure !== undefined,
    isStuck: ({ context }) =>
      isStuck(context.state.marks, context.card.limits.stuck) && escalation.troubleIn(context) !== 'loop',
  },
  actions: {
    open: step(steps.opened),
    look: step(steps.looked),
    ring: step((context, { type }) => steps.rang(context, type === 'interrupt' ? 'interrupt' : 'normal')),
    steer: step((context, event) => {
      assertEvent(event, 'steer')
      return steps.steered(context, event.message)
    }),
    follow: step((context, event) => {
      assertEvent(event, 'follow_up')
      return steps.followed(context, event.message)
    }),
    park: step(steps.parkedStep),
    request: step(steps.requested),
    settle: onSettled(steps.settled),
    redirect: step((context, event) => steps.redirected(context, outputOf(event, 'ask') as steps.Redirected)),
    beginStronger: step(escalation.begunStronger),
    handOver: onSettled(escalation.handedOver),
    shrink: step(shrunk),
    fit: step(fitted),
    warn: step((context, event) => steps.warned(context, rejection(event))),
    nudge: step(steps.nudged),
    resume: step(steps.resumed),
    proceed: step((context) => steps.proceeded(context, context.state.next)),
    goOnSteered: goOnWith(steps.again('steered')),
    goOnWithNews: step((context) => steps.planned(context, steps.goingOnWithNews(context))),
    goOnShorter: goOnWith(steps.again('reactive_compact_retry')),
    goOnWriting: step((context) => steps.planned(context, steps.goingOn(context.state.message))),
    goOnBlocked: step((context, event) => steps.planned(context, steps.blockedBy(outputOf(event, 'stopHooks')))),
    answerMail: goOnWith(steps.another('mail')),
    confirm: step(checks.verified),
    refute: onRefuted(checks.refuted),
    hintRefuted: onRefuted(checks.hintRefuted),
    dropCheck: step((context) => checks.uncheckedBy(context, 'change')),
    dropLastCheck: step((context) => checks.uncheckedBy(context, 'end')),
    endAnswer: endWith('aborted_streaming'),
    /** The calls of the last answer stay in hand until the next question. */
    endThinking: step((context) =>
      steps.finished(context, { reason: context.state.calls.length > 0 ? 'aborted_tools' : 'aborted_streaming' }),
    ),
    endCalls: endWith('aborted_tools'),
    endBudget: endWith('budget_exhausted'),
    endTurns: endWith('max_turns'),
    endStuck: endWith('loop_detected'),
    endDiminishing: endWith('diminishing_returns'),
    endPrevented: step((context, event) => steps.finished(context, checks.preventedBy(outputOf(event, 'stopHooks')))),
    endCut: endWith('cut'),
    endVerified: endWith('verified'),
    remind: step(steps.reminded),
    endUnanswered: step((context) => steps.finished(context, ends.unansweredEnd(context.state))),
    endFailed: step((context) => steps.finished(context, ends.failedEnd(context.state.message))),
    endUnverified: onRefuted((context, refuted) =>
      steps.finished(context, checks.unverifiedEnd(context.card, refuted)),
    ),
    crash: step((context, event) => steps.finished(context, ends.crashedEnd(rejection(event)))),
    close: step(steps.closed),
    dispatch: onSettled(acting.dispatched),
    advance: step((context, event) => acting.advanced(context, outputOf(event, 'intake'))),
    giveUp: step((context, event) => {
      assertEvent(event, 'abort')
      return acting.givenUp(context, event.reason ?? steps.interruptedText)
    }),
    skip: step(acting.skipping),
    halt: step((context, event) => acting.halted(context, outputOf(event, 'intake'))),
    giveUpUnpaid: step((context) => acting.givenUp(context, unpaidText)),
    giveUpUnread: step((context) => acting.givenUp(context, acting.unreadText)),
    gather: step(acting.gathered),
    goOn: step((context) => escalation.wentOn(context, acting.reasonToGoOn(context.state))),
    goOnRefuted: step((context) => escalation.wentOn(context, 'verify_failed')),
    begin: enqueueActions(({ context: { card, state }, enqueue }) => {
      for (const [id, call] of acting.pendingCalls(state))
        enqueue.spawnChild('toolCall', { id, input: { call, hooked: card.hooked } })
    }),
    tell: enqueueActions(({ context: { state }, event, enqueue }) => {
      for (const [child] of acting.pendingCalls(state)) enqueue.sendTo(child, commandOf(event))
    }),
    collect: enqueueActions(({ context, event, enqueue }) => {
      const end = acting.callEnd(context.state, event as DoneActorEvent<CallOutcome> | ErrorActorEvent)
      const { state, facts } = acting.collected(context.state, end)
      for (const fact of facts) enqueue.emit(fact)
      enqueue.stopChild(end.actorId)
      enqueue.assign({ state })
      const reason = acting.siblingAbort(end.outcome)
      if (reason === null) return
      for (const [child] of acting.pendingCalls(state)) enqueue.sendTo(child, { type: 'abort', reason })
    }),
  },
})
