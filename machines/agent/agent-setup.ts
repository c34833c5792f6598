import {
  assign,
  emit,
  enqueueActions,
  setup,
  stopChild,
  type DoneActorEvent,
  type ErrorActorEvent,
  type ParameterizedObject,
} from 'xstate'
import type {
  AgentOutput,
  AskInput,
  AskOutput,
  CompactInput,
  CompactOutput,
  IntakeInput,
  IntakeOutput,
  RunInput,
  RunOutput,
  StopFailureInput,
  StopHooksInput,
  StopHooksOutput,
  VerifyOutput,
} from '../../src/protocol/port.ts'
import type { CallOutcome } from '../../src/protocol/tools/tool.ts'
import { callsOf } from '../../src/protocol/conversation/message.ts'
import { isStuck } from '../../src/rules/conversation/stuck-loop.ts'
import { hasChanged } from '../../src/rules/team/verification.ts'
import { actionList } from '../actors/action-list.ts'
import * as acting from './agent-calls.ts'
import * as checks from './agent-checks.ts'
import * as escalation from './agent-escalation.ts'
import type { AgentCommand, AgentContext, AgentFact, AgentInput, AgentStep } from './agent-state.ts'
import * as steps from './agent-steps.ts'
import { breath, nextCalls, waiting } from './call-waves.ts'
import { isPlainCall, plainCall, plainStart } from '../call/plain-call.ts'
import { port } from '../actors/port.ts'
import type { ToolCallCommand } from '../call/call-setup.ts'
import { toolCallMachine } from '../call/tool-call.ts'
import { verificationMachine } from '../call/verification.ts'

/** Recoveries from a cut-off answer that may follow each other. */
const maxRecoveries = 3

type Params = ParameterizedObject['params'] | undefined
type Ending = Pick<CallOutcome, 'stop' | 'broke'>
type AgentEvent = AgentCommand | DoneActorEvent<CallOutcome> | ErrorActorEvent

/** A pure transition as an action: it replaces the state as a whole and states the facts in order. */
function step<P extends Params = undefined>(pure: (context: AgentContext, params: P) => AgentStep) {
  return actionList<AgentContext, AgentEvent, P, AgentFact>(({ context }, params) => {
    const { state, facts } = pure(context, params)
    const stated = facts.map((fact) => emit(fact))
    return state === context.state ? stated : [assign({ state }), ...stated]
  })
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
    breathe: port<void, undefined>('breathe'),
    toolCall: toolCallMachine,
    plainCall: plainCall(port<RunOutput, RunInput>('run')),
  },
  guards: {
    isUrgent: ({ context }) => context.state.rung === 'interrupt',
    isRung: ({ context }) => context.state.rung !== null,
    mustLookAgain: ({ context: { state } }, { hold }: IntakeOutput) =>
      state.rung === 'interrupt' || (hold && state.rung !== null),
    /** Words of a person end a wait. */
    holds: ({ context }, { hold }: IntakeOutput) => hold && context.state.steers.length === 0,
    isAnswerable: ({ context }, { answerable }: IntakeOutput) => answerable || context.state.steers.length > 0,
    mustFit: ({ context: { card, state } }, { answerable }: IntakeOutput) =>
      card.compacts === true && (answerable || state.steers.length > 0),
    hasMail: (_, { received }: IntakeOutput) => received > 0,
    hasFollowUps: ({ context }) => context.state.followUps.length > 0,
    /** Somebody said something that no model call has seen yet. */
    hasQueued: ({ context: { state } }) => state.steers.length + state.followUps.length > 0,
    verifies: ({ context: { card, state } }) => card.verify !== undefined && !state.verified,
    mustVerify: ({ context: { card, state } }) =>
      card.verify?.after_changes === true && hasChanged(state.calls, state.results),
    isHooked: ({ context }) => context.card.hooked,
    isRedirected: (_, answer: AskOutput) => answer.kind !== 'settled',
    /** Its last answer has been given. */
    isWoundDown: ({ context }) => context.state.windingDown === 'ends',
    asksTooLate: ({ context: { state } }, answer: AskOutput) =>
      state.windingDown === 'ends' &&
      answer.kind === 'settled' &&
      steps.hasAnswered(answer.message) &&
      callsOf(answer.message).length > 0,
    isAborted: ({ context: { state } }) =>
      state.message?.stop === 'aborted' || state.message?.failure?.code === 'aborted',
    hasFailed: ({ context: { state } }) => state.message !== null && !steps.hasAnswered(state.message),
    canShrink: ({ context: { state } }) =>
      state.message?.failure?.code === 'context_exceeded' && !state.compactedReactively,
    didCompact: (_, { compacted }: CompactOutput) => compacted,
    wantsTools: (_, answer: AskOutput) =>
      answer.kind === 'settled' && steps.hasAnswered(answer.message) && callsOf(answer.message).length > 0,
    isCutShort: ({ context: { state } }) =>
      (state.message?.stop === 'max_tokens' || state.message?.stop === 'pause') && state.recoveries < maxRecoveries,
    blocks: (_, { verdict }: StopHooksOutput) => verdict === 'block',
    prevents: (_, { verdict }: StopHooksOutput) => verdict === 'prevent',
    isRefuted: (_, { verdict }: VerifyOutput) => verdict === 'failed',
    isGivenUp: ({ context: { card, state } }, { verdict }: VerifyOutput) =>
      verdict === 'failed' && state.refutals + 1 >= (card.verify?.attempts ?? 1),
    saysStop: (_, output: VerifyOutput) => output.verdict === 'none' && output.stop,
    isVerified: (_, { verdict }: VerifyOutput) => verdict === 'passed',
    isShortOfGoal: ({ context }) => steps.weighed(context)?.verdict === 'continue',
    isDiminishing: ({ context }) => steps.weighed(context)?.diminishing === true,
    hasProof: ({ context }) => context.state.verified,
    isAfterTools: ({ context }) => context.state.toolsLast,
    isOutOfTurns: ({ context: { card, state } }) => state.next.counts && state.turn + 1 > card.limits.max_turns,
    isLastTurn: ({ context: { card, state } }) => state.turn + 1 > card.limits.max_turns,
    mustLook: ({ context: { state } }) => state.rung !== null || acting.mayWait(state),
    compacts: ({ context }) => context.card.compacts === true,
    endsBatch: ({ context: { state } }, outcome: Ending) => acting.isLast(state, outcome),
    endsCalls: ({ context: { state } }, outcome: Ending) =>
      acting.isLast(state, outcome) &&
      (outcome.stop || state.stopped !== null || state.batch + 1 >= state.batches.length),
    /** What has begun has ended, and more was to begin. */
    isBreathing: ({ context: { state } }) => state.running === waiting(state),
    isStopped: ({ context }) => context.state.stopped !== null,
    hasCrashed: ({ context }) => context.state.end.failure !== undefined,
    isStuck: ({ context }) => isStuck(context.state.signatures) && escalation.troubleIn(context) !== 'loop',
    wantsStronger: ({ context }, answer: AskOutput) => escalation.wantsStronger(context, answer),
  },
  actions: {
    open: step(steps.opened),
    look: step(steps.looked),
    ring: step(steps.rang),
    steer: step(steps.steered),
    follow: step(steps.followed),
    park: step(steps.parkedStep),
    request: step(steps.requested),
    settle: step(steps.settled),
    redirect: step(steps.redirected),
    shrink: step(steps.shrunk),
    confirm: step(checks.verified),
    refute: step(checks.refuted),
    refuteStep: step(checks.refutedStep),
    dropCheck: step(checks.uncheckedBy),
    handOver: step(escalation.handedOver),
    warn: step(steps.warned),
    nudge: step(steps.nudged),
    plan: step(steps.planned),
    resume: step(steps.resumed),
    proceed: step((context: AgentContext) => steps.proceeded(context, context.state.next)),
    goOn: step(escalation.wentOn),
    noteAsked: step(steps.answerless),
    finish: step(steps.finished),
    crash: step((context: AgentContext, { at, error }: { at: string; error: unknown }) =>
      steps.finished(context, steps.crashedEnd(at, error)),
    ),
    close: step(steps.closed),
    dispatch: step(acting.dispatched),
    advance: step(acting.advanced),
    giveUp: step(acting.givenUp),
    gather: step(acting.gathered),
    begin: enqueueActions(({ context: { card, state }, enqueue }, { all }: { all: boolean }) => {
      const calls = nextCalls(state, all)
      const { hooked } = card
      for (const [, call] of calls)
        if (isPlainCall(call, hooked)) plainStart(call).forEach((fact) => enqueue.emit(fact))
      for (const [id, call] of calls) {
        if (isPlainCall(call, hooked)) enqueue.spawnChild('plainCall', { id, input: { call, attempt: 1 } })
        else enqueue.spawnChild('toolCall', { id, input: { call, hooked } })
      }
      const now = { ...state, begun: state.begun + calls.length }
      enqueue.assign({ state: now })
      if (state.begun > 0) enqueue.stopChild(breath)
      if (waiting(now) > 0) enqueue.spawnChild('breathe', { id: breath })
    }),
    holdBreath: stopChild(breath),
    tell: enqueueActions(({ context: { state }, enqueue }, command: ToolCallCommand) => {
      for (const [child] of acting.pendingCalls(state)) enqueue.sendTo(child, command)
    }),
    collect: enqueueActions(({ context, enqueue }, collection: acting.Collection) => {
      const { state, facts } = acting.collected(context.state, collection)
      for (const fact of facts) enqueue.emit(fact)
      enqueue.stopChild(collection.actorId)
      if (state.begun > context.state.begun) enqueue.stopChild(breath)
      enqueue.assign({ state })
      const reason = acting.siblingAbort(collection.outcome)
      if (reason === null) return
      for (const [child] of acting.pendingCalls(state)) enqueue.sendTo(child, { type: 'abort', reason })
    }),
  },
})
