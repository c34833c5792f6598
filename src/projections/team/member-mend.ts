import type { Entry } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import {
  callsOf,
  noUsage,
  userMessage,
  type AssistantMessage,
  type ToolUseBlock,
} from '../../protocol/conversation/message.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { isTask } from '../../rules/conversation/task-queue.ts'
import { conversationOf, unansweredCalls } from '../../rules/conversation/context-window.ts'

/** A fact that is to stand in a journal again, and when it happened. */
export interface Mended {
  readonly at: number
  readonly fact: Fact
}

/** A member whose journal lost mail, oldest first. */
export interface TornMember {
  /** The entries that its journal still has. */
  readonly entries: readonly Entry[]
  readonly unread: readonly Envelope[]
  readonly unsent: readonly Envelope[]
  /** The words with which a coordinator began. */
  readonly task: string | null
}

/**
 * The facts that put a member's mail back into its journal. What it had sent stands there with the words that sent it, so
 * that its model neither sends it once more nor answers twice; what it did besides is lost, and done again.
 */
export function memberMend({ entries, unread, unsent, task }: TornMember): readonly Mended[] {
  const read = new Set(unread)
  const mail = [...unread, ...unsent].toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const known = new Set(
    entries.flatMap((entry) => spokenBy(entry)).flatMap((said) => callsOf(said).map(({ id }) => id)),
  )
  const conversation = conversationOf(entries)
  const last = conversation.messages.at(-1)
  let hasAnswered = last?.role === 'assistant' && unansweredCalls(conversation).length === 0
  const isEmpty = conversation.messages.length === 0 && task !== null && mail.length > 0
  const mended = mail.flatMap((envelope): Mended[] => {
    const { id, sent_at: at, kind, body } = envelope
    const put = (...facts: Fact[]): Mended[] => facts.map((fact) => ({ at, fact }))
    if (read.has(envelope)) {
      hasAnswered = false
      return put({ type: 'mail.received', envelope })
    }
    const sent = { type: 'mail.sent', envelope } as const
    if (kind === 'result' || kind === 'answer') {
      const words = hasAnswered ? [] : [appended(saying([{ type: 'text', text: body }]))]
      hasAnswered = true
      const request = envelope.request ?? envelope.reply_to ?? id
      const replied: Fact[] = envelope.amends ? [] : [{ type: 'member.replied', request, mail_id: id }]
      return put(...words, sent, ...replied)
    }
    const call = callBehind(envelope)
    if (call === null || known.has(call.id)) return put(sent)
    known.add(call.id)
    hasAnswered = false
    const content = [
      { type: 'text' as const, text: `Sent as ${envelope.request ?? id} (the record of this call was lost).` },
    ]
    const result = { call_id: call.id, tool: call.name, content, is_error: false }
    return put(appended(saying([call])), sent, appended({ role: 'tool', results: [result] }))
  })
  const began = mended[0]?.at ?? 0
  return isEmpty ? [{ at: began, fact: appended(userMessage(task)) }, ...mended] : mended
}

function spokenBy(entry: Entry): readonly AssistantMessage[] {
  return entry.type === 'message.appended' && entry.message.role === 'assistant' ? [entry.message] : []
}

function appended(message: Extract<Fact, { type: 'message.appended' }>['message']): Fact {
  return { type: 'message.appended', message }
}

function saying(content: AssistantMessage['content']): AssistantMessage {
  const stop = content.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
  return { role: 'assistant', model: 'unknown', content, stop, usage: noUsage }
}

/** The call of the model that sent a mail, as far as its key and the mail tell; null for mail that no call sent. */
function callBehind(envelope: Envelope): ToolUseBlock | null {
  const { key, kind, to, body } = envelope
  const name = memberName(to)
  if (!key.startsWith('call:')) return null
  const place = isTask(envelope) ? /:\d+$/ : new RegExp(`:${name}$`)
  const id = key.slice('call:'.length).replace(place, '')
  if (isTask(envelope))
    return { type: 'tool_use', id, name: 'Delegate', input: { subtasks: [{ worker: name, task: body }] } }
  if (kind !== 'text' && kind !== 'question') return null
  const asks = kind === 'question' ? { question: true } : {}
  return { type: 'tool_use', id, name: 'SendMessage', input: { to: name, text: body, ...asks } }
}

/** Whether a call with this key was made and has no result yet: who takes the work up makes it again. */
export function isUnderWay(key: string, entries: readonly Entry[]): boolean {
  return unansweredCalls(conversationOf(entries)).some(
    ({ id }) => key === `call:${id}` || key.startsWith(`call:${id}:`),
  )
}
