import { failure, type FailureCode } from '../../protocol/conversation/failure.ts'
import { callsOf, failedAnswer, textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import { logOf, needsAnswer } from '../../rules/conversation/context-window.ts'
import type { Logged } from '../../rules/conversation/logged.ts'
import { isFromPerson, unframedBody } from '../../rules/conversation/mail-frame.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { HookAnswer, HookEvent } from '../../protocol/hooks/hook.ts'
import type {
  AskInput,
  AskOutput,
  CompactInput,
  CompactOutput,
  RunInput,
  RunOutput,
  StopFailureInput,
} from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import type { AgentHooks } from '../hooks/hook-engine.ts'
import type { AgentDeps } from './agent-deps.ts'
import type { AgentSession } from './agent-session.ts'
import { endAfter, runHooked } from './agent-hooks.ts'
import { makeRoom, wishDone } from './make-room.ts'

/*
 * The hooks between what came in and the next question to the model: UserPromptSubmit and PostToolBatch.
 * Owns: that every word of a person, and every batch of results, is shown once before a model reads it.
 * 1. A prompt that a hook blocks is taken out of the conversation. 2. Where nobody has answered yet, or nothing else is to
 *    be answered, the work fails with the reason and no model is asked.
 */

/** Messages that hooks were shown. */
const shown = new WeakSet<Message>()
/** Why an agent may not ask its model. */
const barred = new WeakMap<AgentSession, string>()
/** Agents whose work a hook ended. */
const ended = new WeakSet<AgentSession>()

/** Whether a hook keeps this agent from asking its model. */
export function isBarred(session: AgentSession): boolean {
  return barred.has(session)
}

/**
 * Shows the hooks what people said since the last answer. A blocked prompt is taken out.
 * @returns why the last of them was blocked; null when none was
 */
export async function submitPrompts(session: AgentSession, signal: AbortSignal): Promise<string | null> {
  const { deps } = session
  const { hooks = null, conversation } = deps
  if (hooks?.has('UserPromptSubmit') !== true) return null
  let blocked: string | null = null
  const log = logOf(conversation)
  const since = log.findLastIndex(({ message }) => message.role === 'assistant')
  for (const { id, message } of log.slice(since + 1).filter(isPrompt)) {
    if (shown.has(message)) continue
    shown.add(message)
    const answer = await hooks.fire(
      { event: 'UserPromptSubmit', value: '', fields: { prompt: promptOf(message) } },
      signal,
    )
    judged(message, signal)
    const why = whyBlocked(answer)
    if (why === null) tell(session, answer.context)
    else blocked = withdraw(session, { id, why, first: since < 0 })
  }
  return blocked
}

/** A message counts as shown only when its hooks have answered. */
function judged(message: Message, signal: AbortSignal): void {
  if (signal.aborted) shown.delete(message)
  signal.throwIfAborted()
}

function isPrompt({ message }: Logged): boolean {
  return message.role === 'user' && (message.origin === 'person' || isFromPerson(textOf(message)))
}

function promptOf(message: Message): string {
  const text = message.role === 'user' ? textOf(message) : ''
  return unframedBody(text) ?? text
}

function whyBlocked({ stops, blocks, reason }: HookAnswer): string | null {
  return stops ?? (blocks ? reason || 'a hook blocks it' : null)
}

/** Tells the model what hooks said. */
function tell({ deps }: Pick<AgentSession, 'deps'>, context: HookAnswer['context']): void {
  if (context.length > 0) deps.note({ type: 'message.appended', message: userMessage(context.join('\n'), 'hook') })
}

interface Blocked {
  readonly id: string
  readonly why: string
  /** True where no answer stands before it. */
  readonly first: boolean
}

function withdraw(session: AgentSession, { id, why, first }: Blocked): string {
  const { deps } = session
  const message = `a hook blocks the prompt: ${why}`
  deps.note({ type: 'warning.raised', code: 'hook_stopped', message })
  deps.note({ type: 'message.tombstoned', target: id })
  if (first && !needsAnswer(deps.conversation)) barred.set(session, message)
  return message
}

/** Shows the hooks the results of the last batch of calls. */
async function showBatch(session: AgentSession, signal: AbortSignal): Promise<void> {
  const { hooks = null, conversation } = session.deps
  if (hooks?.has('PostToolBatch') !== true) return
  const at = conversation.messages.findLastIndex(({ role }) => role === 'tool')
  const [asked, batch] = conversation.messages.slice(Math.max(0, at - 1), at + 1)
  if (batch?.role !== 'tool' || asked?.role !== 'assistant' || shown.has(batch)) return
  shown.add(batch)
  const results = new Map(batch.results.map((result) => [result.call_id, textOf(result)]))
  const tool_calls = callsOf(asked).map(({ id, name, input }) => {
    return { tool_name: name, tool_input: input, tool_use_id: id, tool_response: results.get(id) ?? '' }
  })
  const answer = await hooks.fire({ event: 'PostToolBatch', value: '', fields: { tool_calls } }, signal)
  judged(batch, signal)
  const why = whyBlocked(answer)
  if (why === null) tell(session, answer.context)
  else barred.set(session, `a hook ended the turn after its calls: ${why}`)
}

/** The end of an agent that hooks keep from asking its model; null when it may ask. */
export async function heldBack(session: AgentSession, input: AskInput, signal: AbortSignal): Promise<AskOutput | null> {
  await showBatch(session, signal)
  const blocked = await submitPrompts(session, signal)
  tell(session, session.deps.hooks?.late() ?? [])
  const why = barred.get(session) ?? (needsAnswer(session.deps.conversation) ? null : blocked)
  if (why === null) return null
  barred.delete(session)
  ended.add(session)
  const message = failedAnswer(input.model, failure('refused', why))
  return { kind: 'settled', message, calls: [], cost_usd: 0, duration_ms: 0 }
}

/** The tools whose calls are events of the task board, too. */
const taskEvents: ReadonlyMap<string, HookEvent> = new Map([
  ['TaskCreate', 'TaskCreated'],
  ['TaskDone', 'TaskCompleted'],
])

/** Runs a call. A task that hooks object to is not created, or stays open, and its member is told why. */
export async function runWatched(session: AgentSession, input: RunInput, signal: AbortSignal): Promise<RunOutput> {
  const { hooks = null, member } = session.deps
  const event = taskEvents.get(input.call.tool)
  if (event === undefined || hooks?.has(event) !== true) return runHooked(session, input, signal)
  const fields = { ...taskFields(input.call, hooks), teammate_name: member, team_name: hooks.team?.name }
  const answer = await hooks.fire({ event, value: '', fields, call_id: input.call.id }, signal)
  const stops = event === 'TaskCompleted' ? answer.stops : null
  if (stops !== null) endAfter(session, input.call, stops)
  const why = answer.blocks ? answer.reason : stops
  if (why === null) return runHooked(session, input, signal)
  const told = `Blocked by a hook: ${why}`
  return { output: { content: [{ type: 'text', text: told }], isError: true }, duration_ms: 0 }
}

function taskFields({ tool, input }: CallDescription, { team }: AgentHooks): Readonly<Record<string, unknown>> {
  const said = typeof input === 'object' && input !== null ? new Map(Object.entries(input)) : new Map<string, unknown>()
  if (tool === 'TaskDone') {
    const task_id = text(said.get('id'))
    const { subject = '', description } = team?.task(Number(task_id)) ?? {}
    return { task_id, task_subject: subject, task_description: description, outcome: said.get('outcome') ?? 'done' }
  }
  return { task_subject: text(said.get('subject')), task_description: text(said.get('description')) }
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** Makes the conversation shorter, unless hooks object; they hear of it afterwards. */
export async function makeHookedRoom(
  deps: AgentDeps,
  input: CompactInput,
  signal: AbortSignal,
): Promise<CompactOutput> {
  const { hooks = null, conversation } = deps
  const trigger = (input.focus ?? conversation.wanted) === null ? 'auto' : 'manual'
  const fields = { trigger, custom_instructions: input.focus ?? conversation.wanted }
  if (hooks?.has('PreCompact') === true) {
    const answer = await hooks.fire({ event: 'PreCompact', value: trigger, fields }, signal)
    if (answer.blocks) {
      if (trigger === 'manual')
        deps.note({
          type: 'warning.raised',
          code: 'hook_stopped',
          message: `a hook keeps the conversation: ${answer.reason}`,
        })
      wishDone(deps)
      return { compacted: false }
    }
  }
  let compact_summary = ''
  const note = (fact: Fact): void => {
    if (fact.type === 'context.compacted') compact_summary = fact.summary ?? ''
    deps.note(fact)
  }
  const made = await makeRoom(hooks === null ? deps : { ...deps, note }, input, signal)
  if (!made.compacted || hooks === null) return made
  await hooks.fire({ event: 'PostCompact', value: trigger, fields: { trigger, compact_summary } }, signal)
  if (hooks.worker) return made
  const source = 'compact'
  const again = await hooks.fire({ event: 'SessionStart', value: source, fields: { source } }, signal)
  tell({ deps }, again.context)
  return made
}

/** Tells the hooks that a failure of the model ended the turn. */
export async function afterFailure(
  session: AgentSession,
  { failure }: StopFailureInput,
  signal: AbortSignal,
): Promise<void> {
  const { deps } = session
  // The end that a hook made is no failure of a model.
  if (ended.delete(session)) return
  const { message } = failure
  const fields = { error: kindOf(failure.code), error_details: message, last_assistant_message: message }
  await deps.hooks?.fire({ event: 'StopFailure', value: kindOf(failure.code), fields }, signal)
}

/** Failures under the names that hooks know; the others have none. */
const kinds: Partial<Record<FailureCode, string>> = {
  rate_limited: 'rate_limit',
  overloaded: 'overloaded',
  server_error: 'server_error',
  connection_lost: 'server_error',
  timed_out: 'server_error',
  stream_broken: 'server_error',
  unauthorized: 'authentication_failed',
  forbidden: 'authentication_failed',
  missing_credential: 'authentication_failed',
  not_found: 'model_not_found',
  invalid_request: 'invalid_request',
  context_exceeded: 'invalid_request',
  output_exceeded: 'max_output_tokens',
}

function kindOf(code: FailureCode): string {
  return kinds[code] ?? 'unknown'
}
