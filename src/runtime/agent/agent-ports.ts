import { fromPromise, type AnyActorRef } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { plainCall } from '../../../machines/call/plain-call.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { describeCall } from '../../adapters/tools/describe-call.ts'
import { tokensOf } from '../../projections/cost/cost.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { callsOf, textOf, type AssistantMessage, type UserMessage } from '../../protocol/conversation/message.ts'
import type {
  AskInput,
  AskOutput,
  CallInput,
  CompactInput,
  CompactOutput,
  DeniedHooksInput,
  GateOutput,
  IntakeInput,
  IntakeOutput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunInput,
  RunOutput,
  StopFailureInput,
  StopHooksInput,
  StopHooksOutput,
  ValidateOutput,
} from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import { needsAnswer, orphansOf } from '../../rules/conversation/context-window.ts'
import { isFromPerson, isQuestionOrAnswer } from '../../rules/conversation/mail-frame.ts'
import { windDownText } from '../../rules/team/wind-down-text.ts'
import { elapsed } from '../actors/clock.ts'
import { makeRoom } from './make-room.ts'
import { agentWorlds, attended, type AgentWorld } from './bound-deps.ts'
import { judge } from './judge.ts'
import { providedRequest } from './approval-ports.ts'
import type { Said } from '../models/ask-model.ts'
import { complaintOf, gateCall, startCall } from './run-calls.ts'
import type { Surroundings } from './agent-deps.ts'
import { openUnderway, type Underway } from '../actors/in-flight.ts'
import { providedVerification } from './verify-work.ts'

/**
 * Before the actor starts: gives it what its ports act upon.
 * @returns what they are doing
 */
export function bindAgent(actor: AnyActorRef, around: Surroundings): Underway {
  const underway = openUnderway()
  agentWorlds.bind(actor, {
    around,
    turn: around.turnTools(),
    led: new Map(),
    quietTo: undefined,
    underway,
    asking: null,
  })
  actor.subscribe({ error: () => unbindAgent(actor) })
  return underway
}

/** No port of this agent does anything from now on, and what one does is ended. */
export function unbindAgent(actor: AnyActorRef): void {
  agentWorlds.unbind(actor)?.underway.cutOff()
}

const providedPermission = permissionMachine.provide({
  actors: {
    judge: fromPromise<Decision, CallInput>(async ({ input, system }) => judge(agentWorlds.of(system), input.call)),
    answer: providedRequest,
  },
})

const run = attended<RunOutput, RunInput>(startCall)

/** The machine of one tool call with every port wired; `bindAgent` says to what. */
export const providedToolCall = toolCallMachine.provide({
  actors: {
    validate: attended<ValidateOutput, CallInput>(async (world, { call }, signal) => ({
      complaint: await complaintOf(world, call, signal),
    })),
    deniedHooks: fromPromise<PostHooksOutput, DeniedHooksInput>(async () => ({ note: null })),
    preHooks: fromPromise<PreHooksOutput, CallInput>(async () => ({ verdict: 'none' })),
    gate: attended<GateOutput, CallInput>((world, { call }, signal) => gateCall(world, call, signal)),
    run,
    postHooks: fromPromise<PostHooksOutput, PostHooksInput>(async () => ({ note: null })),
    permission: providedPermission,
  },
})

/** The agent machine with every port wired; `bindAgent` says to what. */
export const providedAgent = agentMachine.provide({
  actors: {
    intake: attended<IntakeOutput, IntakeInput>(takeIn),
    ask: attended<AskOutput, AskInput>((world, input, signal) => (world.asking = ask(world, input, signal))),
    compact: fromPromise<CompactOutput, CompactInput>(async ({ input, system }) =>
      makeRoom(agentWorlds.of(system).around, input),
    ),
    stopHooks: fromPromise<StopHooksOutput, StopHooksInput>(async () => ({ verdict: 'none' })),
    verify: providedVerification(providedPermission),
    stopFailure: fromPromise<void, StopFailureInput>(async () => undefined),
    breathe: fromPromise<void, undefined>(breath),
    toolCall: providedToolCall,
    plainCall: plainCall(run),
  },
})

/** Yielding first keeps the drain out of any fact that is still being told (see broadcast). */
async function takeMailOf({ around }: AgentWorld): Promise<number> {
  await Promise.resolve()
  return around.receive()
}

/** One pass of the event loop. */
function breath(): Promise<void> {
  return new Promise((go) => void setImmediate(go))
}

async function takeIn(world: AgentWorld, input: IntakeInput, signal: AbortSignal): Promise<IntakeOutput> {
  const { around } = world
  // The results of many come in one pass, each with a bell: who waits for them reads them together.
  if (input.parkable && around.hold()) await breath()
  // It ended meanwhile: what nobody would answer stays in the box.
  signal.throwIfAborted()
  const received = await takeMailOf(world)
  world.led.clear()
  return { received, hold: holds(world, input), answerable: needsAnswer(around.conversation) }
}

/** While results are gathered a lead waits, unless it is in the middle of something or somebody waits for its word. */
function holds(world: AgentWorld, input: IntakeInput): boolean {
  if (!world.around.hold()) return false
  return input.parkable && !isSpokenTo(world)
}

/** Whether somebody has spoken since the last answer; what others write beside it takes nothing from that. */
function isSpokenTo(world: AgentWorld): boolean {
  const { messages } = world.around.conversation
  for (let n = messages.length - 1; messages[n] !== world.quietTo; n -= 1) {
    const message = messages[n]
    if (message?.role !== 'user') break
    if (speaks(message)) return true
  }
  world.quietTo = messages.at(-1)
  return false
}

/** A person speaks at the terminal or by mail, a member asks or answers. */
function speaks(message: UserMessage): boolean {
  const text = textOf(message)
  return message.origin === 'person' || isFromPerson(text) || isQuestionOrAnswer(text)
}

async function ask(world: AgentWorld, input: AskInput, signal: AbortSignal): Promise<AskOutput> {
  // Mail whose bell has not been heard yet is in the request all the same.
  await takeMailOf(world)
  const { around } = world
  const turn = around.turnTools()
  world.turn = turn
  const started = around.now()
  const { member, system, conversation } = around
  const request = {
    agent: member,
    system,
    messages: conversation.messages,
    tools: turn.specs,
    ...around.effort(input.turn),
    ...(conversation.leftOut > 0 ? { left_out: conversation.leftOut } : {}),
    ...(input.last ? { last: true } : {}),
    ...around.offered?.(),
    ...around.shape?.(),
  }
  const hear = ({ type, text }: Said): void => {
    if (around.listened()) around.delta({ member, type, text })
  }
  const answered = await around.recovery.ask(request, { ...input, signal, hear, note: around.note })
  if (answered.kind === 'fallback') return { ...answered, tombstones: orphansOf(conversation) }
  const message = await withoutAdvice(around, answered.message)
  const poor = tooDear(world, input, message)
  if (poor !== null) return poor
  const limit = message.failure?.code === 'budget_exhausted' && !input.last ? around.refusal?.() : null
  // Another turn may turn out to be needed; of money the rest is kept for the reports of others.
  if (limit) return { kind: 'winding_down', notice: windDownText(limit), ends: limit.unit !== 'turns' }
  const duration_ms = elapsed(started, around.now())
  const cost_usd = await around.price(message.model, message.usage)
  if (signal.aborted) noteUnheard(around, { turn: input.turn, model: message.model, usage: message.usage, cost_usd })
  world.led.clear()
  const described = callsOf(message).map(describeCall(turn.tools, turn.absence, turn.deferral))
  const calls = around.book.turn(described, turn.tools).map((call) => allowedAtOnce(world, call))
  return { kind: 'settled', message, calls, cost_usd, duration_ms }
}

/** Nobody waits for the answer any more: it was paid for all the same. */
function noteUnheard({ note }: Surroundings, paid: Omit<FactOf<'model.given_up'>, 'type'>): void {
  if (tokensOf(paid.usage) > 0) note({ type: 'model.given_up', ...paid })
}

/** What a server asked an advisor inside an answer is paid for as if we had asked, and is no part of the answer. */
async function withoutAdvice(around: Surroundings, message: AssistantMessage): Promise<AssistantMessage> {
  if (message.advice === undefined) return message
  const { advice, ...answer } = message
  for (const each of advice) await noteAdvice(around, each)
  return answer
}

async function noteAdvice(around: Surroundings, { id: call_id, model, usage }: Advised): Promise<void> {
  const cost_usd = await around.price(model, usage)
  const purpose = 'advice'
  around.note({ type: 'model.consulted', purpose, call_id, model, stop: 'end', usage, cost_usd, duration_ms: 0 })
}

type Advised = NonNullable<AssistantMessage['advice']>[number]

/** A stronger model that the budget has no room for is done without: the member's own goes on. */
function tooDear({ around }: AgentWorld, input: AskInput, { failure }: AssistantMessage): AskOutput | null {
  const { turn, model: from, instead: to } = input
  if (to === undefined || failure?.code !== 'budget_exhausted') return null
  around.note({ type: 'model.fell_back', turn, from, to, failure })
  return { kind: 'fallback', model: to, tombstones: [] }
}

/** What the cascade allows now needs no permission of its own when it starts now. Every other answer is asked for. */
function allowedAtOnce(world: AgentWorld, call: CallDescription): CallDescription {
  if (call.refusal !== null || call.checked) return call
  try {
    const decision = judge(world, call)
    if (call.deferred) return { ...call, deferred: { ...call.deferred, denied: decision.behavior === 'deny' } }
    return decision.behavior === 'allow' ? { ...call, allowed: decision } : call
  } catch {
    return call
  }
}
