import type { HookAnswer, HookEvent } from '../../protocol/hooks/hook.ts'
import type {
  AnswerInput,
  AskOutput,
  CallInput,
  DeniedHooksInput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunInput,
  RunOutput,
  StopHooksOutput,
} from '../../protocol/port.ts'
import { runningJobs } from '../../adapters/tools/shell/member-jobs.ts'
import { currentDirectory } from '../../adapters/tools/shell/shell.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { CallDescription, ToolOutput } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { meetsCondition } from '../../rules/hooks/hook-condition.ts'
import { callFields, outputText, replacedText, responseOf } from '../../rules/hooks/call-fields.ts'
import { silent } from '../../rules/hooks/hook-answer.ts'
import { suggestionOf } from '../../rules/hooks/hook-proposals.ts'
import { isModesOwn } from '../../rules/hooks/hook-opinion.ts'
import { lastText } from '../../rules/conversation/context-window.ts'
import { grantRules } from '../../rules/permissions/grant-rules.ts'
import { placesOf } from '../../rules/permissions/cascade.ts'
import type { HookMoment } from '../hooks/hook-place.ts'
import type { AgentDeps } from './agent-deps.ts'
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
    fields: { ...callFields(call, session.deps), ...about, ...fields },
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
  const { middleware = null, member: agent } = session.deps
  const closed = middleware === null ? null : await middleware.gate(seenCall(session, call), { agent, signal })
  if (closed !== null) return { verdict: 'block', message: closed.reason, by: closed.by }
  const answer = await fireCall(session, { event: 'PreToolUse', call }, signal)
  if (answer.stops !== null) return { verdict: 'block', message: answer.stops, stop: true }
  if (answer.blocks || answer.decision === 'deny')
    return { verdict: 'block', message: answer.reason || answer.notices.join('\n') || 'no reason' }
  const { decision, reason } = answer
  // A call that a hook puts off is asked about as it is.
  const { context, updatedInput } = decision === 'defer' ? silent : answer
  if (context.length > 0) notesOf(session).set(call.id, context.join('\n'))
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

/** Calls after which the agent ends, as a hook wants it. */
const endings = new WeakMap<CallDescription, string>()

/** The agent ends its turn when this call has its result. */
export function endAfter(session: AgentSession, call: CallDescription, why: string): void {
  endings.set(call, why)
  noteStop(session, why)
}

/** Runs a call; hooks hear of a tool that broke off, as they do of one that answered, and of a shell that went elsewhere. */
export async function runHooked(session: AgentSession, input: RunInput, signal: AbortSignal): Promise<RunOutput> {
  const old_cwd = currentDirectory(session.deps)
  try {
    const ran = await callThrough(session, input, signal)
    const new_cwd = currentDirectory(session.deps)
    if (new_cwd !== old_cwd)
      await session.deps.hooks?.fire({ event: 'CwdChanged', value: '', fields: { old_cwd, new_cwd } }, signal)
    return ran
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
  { call, output, duration_ms }: PostHooksInput,
  signal: AbortSignal,
): Promise<PostHooksOutput> {
  const notes = notesOf(session)
  const before = notes.get(call.id)
  notes.delete(call.id)
  const failed = output.isError === true || output.exit?.failed === true
  const event = failed ? 'PostToolUseFailure' : 'PostToolUse'
  const said = failed
    ? { error: errorOf(output) }
    : { tool_response: responseOf(callFields(call, session.deps), outputText(output)) }
  const answer = await fireCall(session, { event, call, fields: { ...said, duration_ms } }, signal)
  const blocked = answer.blocks ? [answer.reason] : []
  const texts = [...(before === undefined ? [] : [before]), ...blocked, ...answer.context]
  if (answer.stops !== null) noteStop(session, answer.stops)
  const { updatedToolOutput, updatedMCPToolOutput } = answer.own ?? {}
  const instead = updatedToolOutput ?? (call.tool.startsWith('mcp__') ? updatedMCPToolOutput : undefined)
  return {
    note: texts.length === 0 ? null : texts.join('\n'),
    ...(instead === undefined ? {} : { instead: replacedText(instead) }),
    ...(answer.stops === null && !endings.has(call) ? {} : { stop: true }),
  }
}

function errorOf(output: ToolOutput): string {
  const { exit } = output
  return exit === undefined ? outputText(output) : `Exit code ${exit.code}\n${outputText(output)}`
}

function noteStop({ deps }: AgentSession, message: string): void {
  deps.note({ type: 'warning.raised', code: 'hook_stopped', message })
}

/** Tells the PermissionDenied hooks of what a classifier denied; they may let the model try again. */
export async function afterDenial(
  session: AgentSession,
  { call, decision: { source, reason } }: DeniedHooksInput,
  signal: AbortSignal,
): Promise<PostHooksOutput> {
  if (source !== 'classifier') return { note: null }
  const { own } = await fireCall(session, { event: 'PermissionDenied', call, fields: { reason } }, signal)
  return { note: own?.retry === true ? 'A hook says that you may try this call again.' : null }
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
  const message = `a PermissionRequest hook proposes ${proposals.join(', ')}: nothing was kept`
  deps.note({ type: 'warning.raised', code: 'hook_proposes', message })
}

/** Tells the MessageDisplay hooks of an answer that people are shown; nobody waits for them. @returns the answer */
export function tellDisplay({ deps }: AgentSession, answer: AskOutput, turn: number): AskOutput {
  const { hooks = null, member } = deps
  if (answer.kind !== 'settled' || hooks?.has('MessageDisplay') !== true) return answer
  const delta = textOf(answer.message)
  if (delta === '') return answer
  const fields = { turn_id: `${member}-${turn}`, message_id: hooks.mint(), index: 0, final: true, delta }
  void hooks.fire({ event: 'MessageDisplay', value: '', fields }, new AbortController().signal)
  return answer
}

/** The most times in a row that hooks keep an agent from ending. */
const mostBlocks = 8

const blocksInARow: Readonly<Record<Ending, WeakMap<AgentSession, number>>> = {
  Stop: new WeakMap(),
  SubagentStop: new WeakMap(),
  TeammateIdle: new WeakMap(),
}
type Ending = 'Stop' | 'SubagentStop' | 'TeammateIdle'

/** Asks the hooks whether the agent may end its turn, and a worker whether it may go idle. */
export async function beforeEnd(session: AgentSession, signal: AbortSignal): Promise<StopHooksOutput> {
  const { hooks = null } = session.deps
  if (hooks === null) return { verdict: 'none' }
  const verdict = await mayEnd(session, hooks.worker ? 'SubagentStop' : 'Stop', signal)
  return verdict.verdict === 'none' && hooks.worker ? mayEnd(session, 'TeammateIdle', signal) : verdict
}

async function mayEnd(session: AgentSession, event: Ending, signal: AbortSignal): Promise<StopHooksOutput> {
  const { deps } = session
  const { hooks = null } = deps
  if (hooks === null || !hooks.has(event)) return { verdict: 'none' }
  const blocks = blocksInARow[event]
  const count = blocks.get(session) ?? 0
  const fields = event === 'TeammateIdle' ? idleFields(deps) : stopFields(deps, count > 0)
  const answer = await hooks.fire({ event, value: deps.member, fields }, signal)
  if (answer.stops !== null) {
    noteStop(session, answer.stops)
    return { verdict: 'prevent' }
  }
  const wishes = [...(answer.blocks ? [answer.reason || 'A hook wants you to go on.'] : []), ...answer.context]
  if (wishes.length === 0 || count >= mostBlocks) {
    blocks.delete(session)
    return { verdict: 'none' }
  }
  blocks.set(session, count + 1)
  return { verdict: 'block', messages: wishes }
}

function stopFields({ conversation, hooks, memory }: AgentDeps, stop_hook_active: boolean): HookMoment['fields'] {
  const own = hooks?.worker === true ? { agent_transcript_path: hooks.team?.transcript } : {}
  const said = { stop_hook_active, last_assistant_message: lastText(conversation) }
  return { ...said, ...own, background_tasks: runningJobs(memory), session_crons: [] }
}

function idleFields({ member, hooks }: AgentDeps): HookMoment['fields'] {
  return { teammate_name: member, team_name: hooks?.team?.name }
}
