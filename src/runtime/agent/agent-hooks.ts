import type { HookAnswer, HookEvent } from '../../protocol/hooks/hook.ts'
import type {
  AnswerInput,
  CallInput,
  DeniedHooksInput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunInput,
  RunOutput,
  StopHooksOutput,
} from '../../protocol/port.ts'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { CallDescription, ToolOutput } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { meetsCondition } from '../../rules/hooks/hook-condition.ts'
import { silent } from '../../rules/hooks/hook-answer.ts'
import { suggestionOf } from '../../rules/hooks/hook-proposals.ts'
import { isModesOwn } from '../../rules/hooks/hook-opinion.ts'
import { lastText } from '../../rules/conversation/context-window.ts'
import { grantRules } from '../../rules/permissions/grant-rules.ts'
import { placesOf } from '../../rules/permissions/cascade.ts'
import type { HookMoment } from '../hooks/hook-place.ts'
import type { AgentSession } from './agent-session.ts'
import { actionOf, judge } from './judge-call.ts'
import { callThrough, seenCall } from './run-calls.ts'

/** Texts of hooks before a call, for the result of that call. */
const besideResults = new WeakMap<AgentSession, Map<string, string>>()

/** Fires an event of one call; without a hook for it nothing is looked at. */
async function fireCall(
  session: AgentSession,
  { event, call, fields }: { readonly event: HookEvent; readonly call: CallDescription; readonly fields?: object },
  signal: AbortSignal,
): Promise<HookAnswer> {
  const hooks = session.deps.hooks ?? null
  if (hooks === null || !hooks.has(event)) return silent
  let known: { readonly action: ReturnType<typeof actionOf> } | undefined
  const meets = (rule: string): boolean => {
    const { action } = (known ??= { action: actionOf(session, call) })
    return meetsCondition(rule, action, placesOf(action, session.deps.policy()))
  }
  const about = event === 'PermissionRequest' ? {} : { tool_use_id: call.id }
  const moment: HookMoment = {
    event,
    value: call.tool,
    fields: { tool_name: call.tool, tool_input: call.input, ...about, ...fields },
    call_id: call.id,
    meets,
  }
  return hooks.fire(moment, signal)
}

/** Asks the gates of the run, then the PreToolUse hooks. What they say of a call that stays is kept for its result. */
export async function beforeCall(
  session: AgentSession,
  { call }: CallInput,
  signal: AbortSignal,
): Promise<PreHooksOutput> {
  const { onion = null, member: agent } = session.deps
  const closed = onion === null ? null : await onion.gate(seenCall(session, call), { agent, signal })
  if (closed !== null) return { verdict: 'block', message: closed }
  const answer = await fireCall(session, { event: 'PreToolUse', call }, signal)
  if (answer.stops !== null) return { verdict: 'block', message: answer.stops, stop: true }
  if (answer.blocks || answer.decision === 'deny') return { verdict: 'block', message: answer.reason || 'no reason' }
  const texts = answer.context.join('\n')
  if (texts !== '') notesOf(session).set(call.id, texts)
  const { decision, reason, updatedInput } = answer
  const behavior = decision === 'allow' ? 'allow' : 'ask'
  return {
    verdict: 'none',
    ...(decision === null ? {} : { opinion: { behavior, reason } }),
    ...(updatedInput === undefined ? {} : { updated_input: updatedInput }),
  }
}

function notesOf(session: AgentSession): Map<string, string> {
  const notes = besideResults.get(session) ?? new Map<string, string>()
  besideResults.set(session, notes)
  return notes
}

/** Runs a call; hooks hear of a tool that broke off, as they do of one that answered. */
export async function runHooked(session: AgentSession, input: RunInput, signal: AbortSignal): Promise<RunOutput> {
  try {
    return await callThrough(session, input, signal)
  } catch (error) {
    if (!signal.aborted) {
      const fields = { error: errorText(error) }
      await fireCall(session, { event: 'PostToolUseFailure', call: input.call, fields }, signal)
    }
    throw error
  }
}

/** Tells the hooks after a call, which may add to its result or end the run. */
export async function afterCall(
  session: AgentSession,
  { call, output }: PostHooksInput,
  signal: AbortSignal,
): Promise<PostHooksOutput> {
  const notes = notesOf(session)
  const before = notes.get(call.id)
  notes.delete(call.id)
  const failed = output.isError === true || output.exit?.failed === true
  const event = failed ? 'PostToolUseFailure' : 'PostToolUse'
  const text = textOf(output)
  const fields = failed ? { error: text } : { tool_response: { content: text } }
  const answer = await fireCall(session, { event, call, fields }, signal)
  const blocked = answer.blocks ? [answer.reason] : []
  const texts = [...(before === undefined ? [] : [before]), ...blocked, ...answer.context]
  if (answer.stops !== null) noteStop(session, answer.stops)
  return {
    note: texts.length === 0 ? null : texts.join('\n'),
    ...(answer.updatedOutput === undefined ? {} : { instead: answer.updatedOutput }),
    ...(answer.stops === null ? {} : { stop: true }),
  }
}

function textOf({ content }: ToolOutput): string {
  return content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
}

function noteStop({ deps }: AgentSession, message: string): void {
  deps.note({ type: 'warning.raised', code: 'hook_stopped', message })
}

/** Tells the PermissionDenied hooks; their words go to the model beside the refusal. */
export async function afterDenial(
  session: AgentSession,
  { call, reason }: DeniedHooksInput,
  signal: AbortSignal,
): Promise<PostHooksOutput> {
  const { context } = await fireCall(session, { event: 'PermissionDenied', call, fields: { reason } }, signal)
  return { note: context.length === 0 ? null : context.join('\n') }
}

/**
 * Asks the PermissionRequest hooks. Their `allow` answers the mode's own question and no other one; an input that they change
 * is judged first, and what a rule or a bound asks of it is left to people.
 */
export function consultHooks(session: AgentSession, input: AnswerInput, signal: AbortSignal): Promise<Answer | null> {
  const answer = askHooks(session, input, signal)
  consulted.set(input.call, answer)
  return answer
}

/** The questions that hooks are asked now, by call. */
const consulted = new WeakMap<CallDescription, Promise<unknown>>()

/** Resolves when every hook that was asked about a call has answered, or had its time. */
export async function hooksSpoke({ call }: AnswerInput): Promise<void> {
  await consulted.get(call)?.catch(() => undefined)
}

async function askHooks(
  session: AgentSession,
  { call, decision }: AnswerInput,
  signal: AbortSignal,
): Promise<Answer | null> {
  if (session.deps.hooks?.has('PermissionRequest') !== true) return null
  const { session: rules, save } = grantRules(actionOf(session, call), session.deps.policy())
  const fields = { permission_suggestions: [...new Set([...save, ...rules])].map(suggestionOf) }
  const { permission } = await fireCall(session, { event: 'PermissionRequest', call, fields }, signal)
  if (permission === null) return null
  noteProposals(session, permission.proposals)
  const { behavior, message, updatedInput, interrupt } = permission
  if (behavior === 'deny') {
    const scope = interrupt ? 'stop' : 'once'
    return { behavior, source: 'hook', reason: message || 'a hook denies it', scope, by: 'a hook' }
  }
  if (!isModesOwn(decision) || session.deps.policy().mode === 'plan') return null
  const reason = message || 'a hook allows it'
  const allowed: Answer = { behavior, source: 'hook', reason, scope: 'once', by: 'a hook' }
  if (updatedInput === undefined) return allowed
  const verdict = judge(session, { ...call, input: updatedInput, amended: true })
  if (verdict.behavior === 'ask' && !isModesOwn(verdict)) return null
  return { ...allowed, updated_input: updatedInput }
}

/** A person hears of what a hook would have kept; saving it is theirs. */
function noteProposals({ deps }: AgentSession, proposals: readonly string[]): void {
  if (proposals.length === 0) return
  const message = `a PermissionRequest hook proposes ${proposals.join(', ')}: nothing was kept (troupe permissions add saves a rule)`
  deps.note({ type: 'warning.raised', code: 'hook_proposes', message })
}

/** The most times in a row that hooks keep an agent from ending. */
const mostBlocks = 8

const blocksInARow = new WeakMap<AgentSession, number>()

/** Asks the hooks whether the agent may end its turn. */
export async function beforeEnd(session: AgentSession, signal: AbortSignal): Promise<StopHooksOutput> {
  const { deps } = session
  const hooks = deps.hooks ?? null
  const event = hooks?.worker === true ? 'SubagentStop' : 'Stop'
  if (hooks === null || !hooks.has(event)) return { verdict: 'none' }
  const count = blocksInARow.get(session) ?? 0
  const fields = { stop_hook_active: count > 0, last_assistant_message: lastText(deps.conversation) }
  const answer = await hooks.fire({ event, value: deps.member, fields }, signal)
  if (answer.stops !== null) {
    noteStop(session, answer.stops)
    return { verdict: 'prevent' }
  }
  if (!answer.blocks || count >= mostBlocks) {
    blocksInARow.delete(session)
    return { verdict: 'none' }
  }
  blocksInARow.set(session, count + 1)
  return { verdict: 'block', messages: [answer.reason || 'A hook wants you to go on.'] }
}
