import { fromPromise, type AnyActorRef } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
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
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import { needsAnswer, orphansOf, unansweredCalls, wordsToAnswer } from '../../rules/conversation/context-window.ts'
import { looksHard } from '../../rules/prompt/task-words.ts'
import { isFromPerson, isQuestionOrAnswer } from '../../rules/conversation/mail-frame.ts'
import { windDownText } from '../../rules/team/wind-down-text.ts'
import { elapsed } from '../actors/clock.ts'
import { agentSessions, attended, openInFlight, type AgentSession, type InFlight } from './agent-session.ts'
import { afterCall, afterDenial, beforeCall, beforeEnd, tellDisplay } from './agent-hooks.ts'
import { providedApproval } from './approval-ports.ts'
import { judge } from './judge-call.ts'
import { askThrough } from '../middleware/ask-through.ts'
import { learnCapacity } from '../recovery/learn-capacity.ts'
import type { HeardDelta } from '../recovery/ask-model.ts'
import { complaintOf, gateCall } from './run-calls.ts'
import type { AgentDeps, Received } from './agent-deps.ts'
import { providedVerification } from './verify-work.ts'
import { watchAnswer, watchRequest } from './watch-work.ts'
import { isCrowded, loadOf } from './make-room.ts'
import { afterFailure, heldBack, isBarred, makeHookedRoom, runWatched, submitPrompts } from './work-hooks.ts'

/**
 * Before the actor starts: gives it what its ports act upon.
 * @returns what they are doing
 */
export function bindAgent(actor: AnyActorRef, deps: AgentDeps): InFlight {
  const inFlight = openInFlight()
  agentSessions.bind(actor, {
    deps,
    turn: deps.turnTools(),
    realPaths: new Map(),
    quietTo: undefined,
    costs: [],
    runsAway: null,
    told: new Set(),
    inFlight,
    modelCall: null,
  })
  actor.subscribe({ error: () => unbindAgent(actor) })
  return inFlight
}

/** No port of this agent does anything from now on, and what one does is ended. */
export function unbindAgent(actor: AnyActorRef): void {
  const session = agentSessions.unbind(actor)
  session?.deps.extractor?.stop()
  session?.inFlight.cutOff()
}

/**
 * Waits for what an agent does beside its work. A model call that was called off is still stated: it was paid for.
 * @param left the agent was told to stop: nothing is begun any more
 */
export async function settleAgent(session: AgentSession, left = false): Promise<void> {
  const { modelCall, deps } = session
  if (left) deps.extractor?.stop()
  await Promise.allSettled([modelCall, left ? null : deps.extractor?.finish((call) => judge(session, call))])
}

const providedPermission = permissionMachine.provide({
  actors: {
    judge: fromPromise<Decision, CallInput>(async ({ input, system }) => judge(agentSessions.of(system), input.call)),
    answer: providedApproval,
  },
})

/** The machine of one tool call with every port wired; `bindAgent` says to what. */
export const providedToolCall = toolCallMachine.provide({
  actors: {
    validate: attended<ValidateOutput, CallInput>(async (session, { call }, signal) => ({
      complaint: await complaintOf(session, call, signal),
    })),
    deniedHooks: attended<PostHooksOutput, DeniedHooksInput>(afterDenial),
    preHooks: attended<PreHooksOutput, CallInput>(beforeCall),
    gate: attended<GateOutput, CallInput>((session, { call }, signal) => gateCall(session, call, signal)),
    run: attended<RunOutput, RunInput>(runWatched),
    postHooks: attended<PostHooksOutput, PostHooksInput>(afterCall),
    permission: providedPermission,
  },
})

/** The agent machine with every port wired; `bindAgent` says to what. */
export const providedAgent = agentMachine.provide({
  actors: {
    intake: attended<IntakeOutput, IntakeInput>(takeIn),
    ask: attended<AskOutput, AskInput>(async (session, input, signal) =>
      tellDisplay(session, await (session.modelCall = ask(session, input, signal)), input.turn),
    ),
    compact: attended<CompactOutput, CompactInput>(({ deps }, input, signal) => makeHookedRoom(deps, input, signal)),
    stopHooks: attended<StopHooksOutput, StopHooksInput>(async (session, _, signal) => {
      const verdict = await beforeEnd(session, signal)
      return verdict.verdict === 'none' ? ((await session.deps.objects?.()) ?? verdict) : verdict
    }),
    verify: providedVerification(providedPermission),
    stopFailure: attended<void, StopFailureInput>(afterFailure),
    toolCall: providedToolCall,
  },
})

/** Yielding first keeps the drain out of any fact that is still being told (see broadcast). */
async function takeMailOf({ deps }: AgentSession, answered: boolean): Promise<Received> {
  await Promise.resolve()
  return deps.receive(answered)
}

/** One pass of the event loop. */
function breath(): Promise<void> {
  return new Promise((go) => void setImmediate(go))
}

async function takeIn(session: AgentSession, input: IntakeInput, signal: AbortSignal): Promise<IntakeOutput> {
  const { deps } = session
  // The results of many workers come in one pass, each with a bell; a lead that waits reads them together.
  if (input.parkable && deps.hold()) await breath()
  // Mail for an agent that has ended meanwhile stays in the box: nobody would answer it.
  signal.throwIfAborted()
  const { isFull = false, ...received } = await takeMailOf(session, input.answered === true)
  session.realPaths.clear()
  await submitPrompts(session, signal)
  await deps.commands?.(signal)
  await doAsWished(session, input, signal)
  const [hold, owes] = [!isFull && holds(session, input), input.answered === true && deps.owes()]
  const hard = input.turn === 1 && !isBarred(session) && looksHard(wordsToAnswer(deps.conversation))
  const answerable = isBarred(session) || needsAnswer(deps.conversation)
  return { ...received, hold, answerable, owes, ...(hard ? { hard } : {}) }
}

/** A person wants the conversation to be shorter, and no question comes before which that would be done. */
async function doAsWished({ deps }: AgentSession, { parkable }: IntakeInput, signal: AbortSignal): Promise<void> {
  const { conversation } = deps
  if (conversation.wanted === null || unansweredCalls(conversation).length > 0) return
  if (!needsAnswer(conversation) || (parkable && deps.hold())) await makeHookedRoom(deps, { trigger: 'auto' }, signal)
}

/** Whether a lead waits while results are gathered: not in the middle of something, nor when somebody waits for its word. */
function holds(session: AgentSession, input: IntakeInput): boolean {
  if (!session.deps.hold()) return false
  return input.parkable && !isSpokenTo(session)
}

/** Whether somebody has spoken since the last answer; what others write beside it takes nothing from that. */
function isSpokenTo(session: AgentSession): boolean {
  const { messages } = session.deps.conversation
  for (let n = messages.length - 1; messages[n] !== session.quietTo; n -= 1) {
    const message = messages[n]
    if (message?.role !== 'user') break
    if (speaks(message)) return true
  }
  session.quietTo = messages.at(-1)
  return false
}

/** A person speaks at the terminal or by mail, a member asks or answers. */
function speaks(message: UserMessage): boolean {
  const text = textOf(message)
  return message.origin === 'person' || isFromPerson(text) || isQuestionOrAnswer(text)
}

async function ask(session: AgentSession, asked: AskInput, signal: AbortSignal): Promise<AskOutput> {
  await session.deps.room()
  session.deps.extractor?.look((call) => judge(session, call))
  signal.throwIfAborted()
  session.deps.instruct?.()
  // Mail whose bell has not been heard yet is in the request all the same.
  await takeMailOf(session, false)
  const { deps } = session
  const held = deps.hooks ? await heldBack(session, asked, signal) : null
  if (held !== null) return held
  await deps.commands?.(signal)
  const input = deps.instead ? { ...asked, model: await deps.instead(asked.model) } : asked
  await learnCapacity(deps, input, signal)
  const turn = (session.turn = deps.turnTools())
  const request = () => requestOf(session, input)
  if (!input.fitted && (await isCrowded(deps, input, { request, signal }))) return { kind: 'crowded' }
  const end = watchRequest(session, input)
  if (end !== null) return end
  const started = deps.now()
  const { member, conversation } = deps
  const hear = ({ type, text }: HeardDelta): void => {
    if (deps.listened()) deps.delta({ member, type, text })
  }
  const asking = { ...input, signal, hear, note: deps.note }
  const { recovery, middleware = null } = deps
  const answered = await askThrough({ recovery, middleware, agent: member }, request(), asking)
  if (answered.kind === 'fallback') return { ...answered, tombstones: orphansOf(conversation) }
  const message = await withoutAdvice(deps, answered.message)
  const poor = tooDear(session, input, message)
  if (poor !== null) return poor
  const limit = message.failure?.code === 'budget_exhausted' && !input.last ? deps.refusal?.() : null
  // Another turn may turn out to be needed; of money the rest is kept for the reports of others.
  if (limit) return { kind: 'winding_down', notice: windDownText(limit), ends: limit.unit !== 'turns' }
  const duration_ms = elapsed(started, deps.now())
  const cost_usd = await deps.price(message.model, message.usage, message.cost_usd)
  if (signal.aborted) noteUnheard(deps, { turn: input.turn, model: message.model, usage: message.usage, cost_usd })
  watchAnswer(session, message, cost_usd)
  session.realPaths.clear()
  const described = callsOf(message).map(describeCall(turn.tools, turn.absence, turn.deferral))
  const calls = deps.book.turn(described, turn.tools).map((call) => allowedAtOnce(session, call))
  return { kind: 'settled', message: byOwnNames(message, described), calls, cost_usd, duration_ms }
}

function requestOf({ deps, turn }: AgentSession, input: AskInput): ModelRequest {
  const { member, system, conversation } = deps
  return {
    agent: member,
    system,
    messages: deps.prompt?.framed(conversation.messages) ?? conversation.messages,
    tools: turn.specs,
    ...deps.wishes(input.turn),
    held_tokens: loadOf(deps, input.model).tokens,
    ...(conversation.leftOut > 0 ? { left_out: conversation.leftOut } : {}),
    ...(input.last ? { last: true } : {}),
    ...deps.offered?.(),
    ...deps.shape?.(),
  }
}

/** States the cost of an answer that nobody waits for any more. */
function noteUnheard({ note }: AgentDeps, paid: Omit<FactOf<'model.given_up'>, 'type'>): void {
  if (tokensOf(paid.usage) > 0) note({ type: 'model.given_up', ...paid })
}

/** Takes out of an answer the advice that its server asked for inside; that is paid for as if we had asked. */
async function withoutAdvice(deps: AgentDeps, message: AssistantMessage): Promise<AssistantMessage> {
  if (message.advice === undefined) return message
  const { advice, ...answer } = message
  for (const each of advice) await noteAdvice(deps, each)
  return answer
}

async function noteAdvice(deps: AgentDeps, { id: call_id, model, usage }: Advised): Promise<void> {
  const cost_usd = await deps.price(model, usage)
  const purpose = 'advice'
  deps.note({ type: 'model.consulted', purpose, call_id, model, stop: 'end', usage, cost_usd, duration_ms: 0 })
}

type Advised = NonNullable<AssistantMessage['advice']>[number]

/** A stronger model that the budget has no room for is done without: the member's own goes on. */
function tooDear({ deps }: AgentSession, input: AskInput, { failure }: AssistantMessage): AskOutput | null {
  const { turn, model: from, instead: to } = input
  if (to === undefined || failure?.code !== 'budget_exhausted') return null
  deps.note({ type: 'model.fell_back', turn, from, to, failure })
  return { kind: 'fallback', model: to, tombstones: [] }
}

/** Marks a call that the cascade allows now: it needs no permission of its own when it starts at once. */
function allowedAtOnce(session: AgentSession, call: CallDescription): CallDescription {
  if (call.refusal !== null || call.checked) return call
  try {
    const decision = judge(session, call)
    if (call.deferred) return { ...call, deferred: { ...call.deferred, denied: decision.behavior === 'deny' } }
    return decision.behavior === 'allow' ? { ...call, allowed: decision } : call
  } catch {
    return call
  }
}

/** The answer with each call under the name that its tool has, whichever alias the model wrote. */
function byOwnNames(message: AssistantMessage, described: readonly CallDescription[]): AssistantMessage {
  const names = new Map(described.map(({ id, tool }) => [id, tool]))
  const isAlias = callsOf(message).some(({ id, name }) => names.get(id) !== name)
  if (!isAlias) return message
  const content = message.content.map((block) =>
    block.type === 'tool_use' ? { ...block, name: names.get(block.id) ?? block.name } : block,
  )
  return { ...message, content }
}
