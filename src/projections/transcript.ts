import { failureText } from '../protocol/failure.ts'
import type { Envelope } from '../protocol/envelope.ts'
import {
  textOf,
  type AssistantMessage,
  type Message,
  type ToolResult,
  type ToolUseBlock,
  type UserMessage,
} from '../protocol/message.ts'
import { callLabel } from './call-label.ts'
import { foldOver, ignore, type EntryOf } from './fold.ts'
import { recoveryText, type RecoveryFact } from './recovery-text.ts'

export const lineKinds = [
  'person',
  'note',
  'think',
  'say',
  'call',
  'result',
  'error',
  'sent',
  'received',
  'life',
  'warning',
  'end',
] as const

/** One paragraph of a transcript. `head` fits on a line; `text` is what was said, often longer, as it was said. */
export interface TranscriptLine {
  readonly entry: string
  readonly at: number
  readonly owner: string
  readonly kind: (typeof lineKinds)[number]
  readonly head: string
  readonly text: string
}

export interface Transcript {
  readonly lines: TranscriptLine[]
  /** What unanswered calls do, by member and call id, so that a result can say whose it is. */
  readonly calls: Map<string, string>
}

export function emptyTranscript(): Transcript {
  return { lines: [], calls: new Map() }
}

type Said = Pick<TranscriptLine, 'kind' | 'head' | 'text'>

/** Takes one recorded fact into the transcript; a tombstoned message leaves it. */
export const applyTranscript = foldOver<
  Transcript,
  | 'conversation'
  | 'permission'
  | 'mail'
  | 'life'
  | 'loop'
  | 'run'
  | 'request'
  | 'gather'
  | 'notice'
  | 'recovery'
  | 'work'
>({
  'message.appended': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, ...messageLines(entry.message, callsOf(transcript, owner))),
  'message.tombstoned': ({ lines }, { target }, owner) => {
    const kept = lines.filter((line) => line.owner !== owner || line.entry !== target)
    lines.splice(0, lines.length, ...kept)
  },
  'permission.requested': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', `${entry.tool}: waits for approval`, entry.request)),
  'permission.decided': (transcript, entry, owner) => {
    const { behavior, source, reason } = entry.decision
    if (behavior === 'allow' && source !== 'human') return
    add(transcript, { entry, owner }, said('life', `${entry.tool}: ${allowed(behavior)} by ${source}`, reason))
  },
  'model.escalated': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', `${entry.to} goes on (${entry.trigger})`, entry.reason)),
  'plan.entered': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', 'plans first', entry.reason)),
  'plan.approved': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', 'carries out its plan')),
  'verify.started': ignore,
  'verify.settled': (transcript, entry, owner) => {
    const words = { passed: 'passes', failed: 'does not pass', not_run: 'did not run' } as const
    const kind = entry.verdict === 'passed' ? 'life' : 'warning'
    add(transcript, { entry, owner }, said(kind, `check: ${entry.command} ${words[entry.verdict]}`, entry.reason))
  },
  'mail.sent': (transcript, entry, owner) => add(transcript, { entry, owner }, sentLine(entry.envelope)),
  'mail.received': (transcript, entry, owner) => add(transcript, { entry, owner }, receivedLine(entry.envelope)),
  'mail.died': (transcript, entry, owner) =>
    add(
      transcript,
      { entry, owner },
      said('warning', `mail ${entry.mail_id ?? entry.file} could not be delivered`, entry.reason),
    ),
  'member.replied': ignore,
  'member.spawned': (transcript, entry, owner) => {
    const again = entry.attempt > 1 ? ` again (attempt ${entry.attempt})` : ''
    add(transcript, { entry, owner }, said('life', `${entry.member} is started${again}`))
  },
  'member.started': ignore,
  'member.woke': ignore,
  'member.idled': ignore,
  'member.drained': ignore,
  'member.gone': (transcript, entry, owner) => add(transcript, { entry, owner }, said('life', `gone: ${entry.reason}`)),
  'member.crashed': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('warning', `${entry.member} crashed`, entry.error)),
  'member.lost': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('warning', `${entry.member} is lost`, entry.reason)),
  'member.refused': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('warning', `${entry.member} is not started`, entry.reason)),
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': (transcript, entry, owner) => {
    if (entry.reason === 'completed' || entry.reason === 'verified') return
    add(transcript, { entry, owner }, said('warning', `ended: ${entry.reason}`, entry.failure?.message))
  },
  'request.held': ignore,
  'request.opened': ignore,
  'request.settled': (transcript, entry, owner) => {
    if (entry.status === 'done') return
    add(transcript, { entry, owner }, said('warning', `${entry.worker}'s work was ${settled(entry)}`, entry.reason))
  },
  'gather.opened': ignore,
  'gather.settled': ignore,
  'coordinator.moved': ignore,
  'lead.nudged': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', 'the lead is reminded of open work', entry.open.join(', '))),
  'model.retried': recovered,
  'model.paused': recovered,
  'model.waiting': ignore,
  'model.resumed': ignore,
  'model.fell_back': recovered,
  'breaker.opened': recovered,
  'breaker.closed': recovered,
  'member.hung': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('warning', `${entry.member} hangs`, `silent since ${entry.last}`)),
  'executor.chosen': (transcript, entry, owner) =>
    add(
      transcript,
      { entry, owner },
      said('life', `${entry.members.join(', ')} in ${entry.executor}`, entry.look ?? entry.why),
    ),
  'event.dropped': (transcript, entry, owner) =>
    add(
      transcript,
      { entry, owner },
      said('warning', `${entry.actor} had no use for ${entry.event} in ${entry.state}`),
    ),
  'settings.changed': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('life', 'settings changed', entry.files.join(', '))),
  'warning.raised': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('warning', entry.code, entry.message)),
  'team.resumed': (transcript, entry, owner) => add(transcript, { entry, owner }, said('life', 'led on')),
  'team.reopened': (transcript, entry, owner) => add(transcript, { entry, owner }, said('life', 'goes on')),
  'team.started': (transcript, entry, owner) => add(transcript, { entry, owner }, said('life', 'task', entry.task)),
  'team.ended': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, said('end', endText(entry), entry.result ?? '')),
})

/** Most reasons say more than the status; that of a run that did its work says the same. */
function endText({ status, reason }: { readonly status: string; readonly reason: string }): string {
  return reason === status ? status : `${status}: ${reason}`
}

interface Source {
  readonly entry: { readonly id: string; readonly at: number }
  readonly owner: string
}

function add(transcript: Transcript, { entry, owner }: Source, ...lines: readonly Said[]): void {
  for (const line of lines) transcript.lines.push({ entry: entry.id, at: entry.at, owner, ...line })
}

function recovered(transcript: Transcript, entry: RecoveryFact & Source['entry'], owner: string): void {
  const text = recoveryText(entry)
  if (text !== null) add(transcript, { entry, owner }, said('life', text))
}

function said(kind: Said['kind'], head: string, text = ''): Said {
  return { kind, head, text }
}

/** The calls of one member that wait for their results. */
interface Calls {
  ask(id: string, label: string): void
  /** Its label, once. */
  answer(id: string): string | undefined
}

function callsOf({ calls }: Transcript, owner: string): Calls {
  const keyOf = (id: string): string => `${owner} ${id}`
  return {
    ask: (id, label) => void calls.set(keyOf(id), label),
    answer: (id) => {
      const label = calls.get(keyOf(id))
      calls.delete(keyOf(id))
      return label
    },
  }
}

function messageLines(message: Message, calls: Calls): readonly Said[] {
  if (message.role === 'assistant') return assistantLines(message, calls)
  if (message.role === 'tool') return message.results.map((result) => resultLine(result, calls.answer(result.call_id)))
  return [userLine(message)]
}

function userLine(message: UserMessage): Said {
  return said(message.origin === 'person' ? 'person' : 'note', message.origin, textOf(message))
}

function assistantLines(message: AssistantMessage, calls: Calls): readonly Said[] {
  const lines = message.content.flatMap((block): readonly Said[] => {
    if (block.type === 'text') return block.text.trim() === '' ? [] : [said('say', '', block.text)]
    if (block.type === 'thinking') return block.text.trim() === '' ? [] : [said('think', 'thinking', block.text)]
    return block.type === 'tool_use' ? [callLine(block, calls)] : []
  })
  const { failure } = message
  return failure ? [...lines, said('error', `model: ${failure.code}`, failureText(failure))] : lines
}

function callLine({ id, name, input }: ToolUseBlock, calls: Calls): Said {
  const label = callLabel(name, input)
  calls.ask(id, label)
  return said('call', label)
}

function resultLine(result: ToolResult, label = result.tool): Said {
  const images = result.content.filter((block) => block.type === 'image').length
  const text = images > 0 ? `${textOf(result)}\n[${images} image(s)]`.trim() : textOf(result)
  return said(result.is_error ? 'error' : 'result', label, text)
}

function sentLine(envelope: Envelope): Said {
  return said('sent', `${envelope.kind} to ${envelope.to}`, envelope.body)
}

function receivedLine(envelope: Envelope): Said {
  return said('received', `${envelope.kind} from ${envelope.from}`, envelope.body)
}

function allowed(behavior: 'allow' | 'ask' | 'deny'): string {
  return { allow: 'allowed', ask: 'asked', deny: 'denied' }[behavior]
}

function settled(entry: EntryOf<'request.settled'>): string {
  return { done: 'done', failed: 'not done', cancelled: 'cancelled', timed_out: 'not done in time' }[entry.status]
}
