import { failure } from '../../protocol/conversation/failure.ts'
import { callsOf, failedAnswer, textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { HookAnswer } from '../../protocol/hooks/hook.ts'
import type { AskInput, AskOutput } from '../../protocol/port.ts'
import { logOf, needsAnswer } from '../../rules/conversation/context-window.ts'
import type { Logged } from '../../rules/conversation/logged.ts'
import { isFromPerson, unframedBody } from '../../rules/conversation/mail-frame.ts'
import type { AgentSession } from './agent-session.ts'

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

/** Whether the failure that is told of is the end that a hook made; asked once. */
export function endedByHook(session: AgentSession): boolean {
  return ended.delete(session)
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
    const answer = await hooks.fire({ event: 'UserPromptSubmit', value: '', fields: { prompt: promptOf(message) } }, signal)
    const why = whyBlocked(answer)
    if (why === null) tell(session, answer)
    else blocked = withdraw(session, { id, why, first: since < 0 })
  }
  return blocked
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

function tell({ deps }: AgentSession, { context }: HookAnswer): void {
  if (context.length > 0) deps.note({ type: 'message.appended', message: userMessage(context.join('\n'), 'hook') })
}

interface Blocked {
  readonly id: string
  readonly why: string
  /** Nobody has answered before. */
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
  const why = whyBlocked(answer)
  if (why === null) tell(session, answer)
  else barred.set(session, `a hook ended the turn after its calls: ${why}`)
}

/** The end of an agent that hooks keep from asking its model; null when it may ask. */
export async function heldBack(session: AgentSession, input: AskInput, signal: AbortSignal): Promise<AskOutput | null> {
  await showBatch(session, signal)
  const blocked = await submitPrompts(session, signal)
  const why = barred.get(session) ?? (needsAnswer(session.deps.conversation) ? null : blocked)
  if (why === null) return null
  barred.delete(session)
  ended.add(session)
  const message = failedAnswer(input.model, failure('refused', why))
  return { kind: 'settled', message, calls: [], cost_usd: 0, duration_ms: 0 }
}
