import { awaitedBy, wordsTool } from '../../protocol/tools/own-question.ts'
import { failureText } from '../../protocol/conversation/failure.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import {
  textOf,
  resultText,
  type AssistantMessage,
  type Message,
  type ToolResult,
  type ToolUseBlock,
  type UserMessage,
} from '../../protocol/conversation/message.ts'
import { todoText } from '../../rules/prompt/todo-text.ts'
import { readEnding } from './call-ending.ts'
import { callLabel } from './call-label.ts'
import { bodyText } from '../../protocol/work/body-text.ts'
import { choiceAskIn } from '../../protocol/work/choice-ask.ts'
import { foldOver, ignore } from '../fold/fold.ts'
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
  /** Labels of unanswered calls, by member and call id, so that a result can name its call. */
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
  | 'stop'
  | 'request'
  | 'gather'
  | 'notice'
  | 'recovery'
  | 'work'
  | 'handling'
>({
  'message.appended': (transcript, entry, owner) =>
    add(transcript, { entry, owner }, ...messageLines(entry.message, callsOf(transcript, owner))),
  'call.coerced': ignore,
  'call.refused': ignore,
  'call.retried': ignore,
  'call.reused': ignore,
  'call.limited': ignore,
  'turn.overflowed': ignore,
  'context.compacted': saying(({ before, after, summary }) =>
    said('life', `the model sees ${Math.round((after / before) * 100)}% of the conversation from now on`, summary),
  ),
  'prompt.changed': ignore,
  'memory.extracted': ignore,
  'turns.undone': saying(({ files }) => said('life', 'a person took back the latest work', files.join('\n'))),
  'message.tombstoned': ({ lines }, { target }, owner) => {
    const kept = lines.filter((line) => line.owner !== owner || line.entry !== target)
    lines.splice(0, lines.length, ...kept)
  },
  'permission.requested': saying(({ tool, request }) => said('life', `${tool}: waits for ${awaitedBy(tool)}`, request)),
  'permission.decided': saying(({ tool, by, decision: { behavior, source, reason } }) =>
    behavior === 'allow' && source !== 'human'
      ? null
      : said(
          'life',
          `${tool}: ${tool === wordsTool ? 'answered' : allowed(behavior)} by ${source === 'human' ? (by ?? source) : source}`,
          reason,
        ),
  ),
  'model.escalated': saying(({ to, trigger, reason }) => said('life', `${to} goes on (${trigger})`, reason)),
  'skill.opened': saying(({ skill }) => said('life', 'opens a skill', skill)),
  'plan.entered': saying(({ reason }) => said('life', 'plans first', reason)),
  'plan.approved': saying(({ plan }) => said('life', 'carries out its plan', plan)),
  'todos.changed': saying(({ todos }) => said('life', 'todo list', todoText(todos) || 'empty')),
  'verify.started': ignore,
  'verify.settled': saying(({ command, verdict, reason }) => {
    const words = { passed: 'passes', failed: 'does not pass', not_run: 'did not run' } as const
    return said(verdict === 'passed' ? 'life' : 'warning', `check: ${command} ${words[verdict]}`, reason)
  }),
  'mail.sent': saying(({ envelope }) => sentLine(envelope)),
  // The choice itself is told when it is settled.
  'mail.received': saying(({ envelope }) => (choiceAskIn(envelope) === null ? receivedLine(envelope) : null)),
  'mail.handled': ignore,
  'mail.died': saying(({ mail_id, file, reason }) =>
    said('warning', `mail ${mail_id ?? file} could not be delivered`, reason),
  ),
  'member.replied': ignore,
  'member.spawned': saying(({ member, attempt }) =>
    said('life', `${member} is started${attempt > 1 ? ` again (attempt ${attempt})` : ''}`),
  ),
  'member.started': ignore,
  'member.woke': ignore,
  'member.idled': ignore,
  'member.drained': ignore,
  'member.gone': saying(({ reason }) => said('life', `gone: ${reason}`)),
  'member.crashed': saying(({ member, error }) => said('warning', `${member} crashed`, error)),
  'member.lost': saying(({ member, reason }) => said('warning', `${member} is lost`, reason)),
  'member.refused': saying(({ member, reason }) => said('warning', `${member} is not started`, reason)),
  'member.stopped': saying(({ member, reason }) => said('life', `${member} is stopped`, reason)),
  'stop.asked': ignore,
  'stop.refused': ignore,
  'member.restarted': saying(({ member, by }) =>
    said('life', `${member} is restarted by ${by}, with its conversation`),
  ),
  'member.renewed': saying(() => said('life', 'begins from nothing: the life before was stopped')),
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': saying(({ reason, failure }) =>
    reason === 'completed' || reason === 'verified' ? null : said('warning', `ended: ${reason}`, failure?.message),
  ),
  'request.held': ignore,
  'request.opened': ignore,
  'request.settled': saying(({ worker, status, reason }) =>
    status === 'done' ? null : said('warning', `${worker}'s work was ${unfinished[status]}`, reason),
  ),
  'gather.opened': ignore,
  'gather.settled': ignore,
  'coordinator.moved': ignore,
  'lead.nudged': saying(({ open }) => said('life', 'the lead is reminded of open work', open.join(', '))),
  'model.retried': saying(recoveredLine),
  'model.given_up': ignore,
  'model.paused': saying(recoveredLine),
  'model.waiting': ignore,
  'model.resumed': ignore,
  'model.fell_back': saying(recoveredLine),
  'model.conceded': saying(recoveredLine),
  'cache.extended': saying(recoveredLine),
  'model.counted': saying(recoveredLine),
  'model.described': saying(recoveredLine),
  'breaker.opened': saying(recoveredLine),
  'breaker.closed': saying(recoveredLine),
  'member.hung': saying(({ member, last, stirred_ms }) =>
    said('warning', `${member} ${stirred_ms === undefined ? 'is silent' : 'stalls'}`, `since ${last}`),
  ),
  'executor.chosen': saying(({ members, executor, look, why }) =>
    said('life', `${members.join(', ')} in ${executor}`, look ?? why),
  ),
  'event.dropped': saying(({ actor, event, state }) => said('warning', `${actor} had no use for ${event} in ${state}`)),
  'mcp.changed': saying(({ server, state, tools, reason }) =>
    said('life', `MCP server ${server} is ${state}`, reason ?? `${tools} tools`),
  ),
  'hook.ran': saying(({ event, hook, outcome, message }) =>
    said(outcome === 'success' ? 'life' : 'warning', `${event} hook ${outcome}: ${hook}`, message),
  ),
  'model.chosen': saying(({ model, refused }) => chosenLine(`model ${model}`, refused)),
  'mode.chosen': saying(({ mode, refused }) => chosenLine(`mode ${mode}`, refused)),
  'settings.changed': saying(({ files }) => said('life', 'settings changed', files.join(', '))),
  'team.changed': saying(({ changes }) => said('life', 'goes on with another team', changes.join('; '))),
  'warning.raised': saying(({ code, message }) => said('warning', code, message)),
  'team.resumed': saying(() => said('life', 'led on')),
  'team.reopened': saying(() => said('life', 'goes on')),
  'team.started': saying(({ task }) => said('life', 'task', task)),
  'team.ended': saying((entry) => said('end', endText(entry), entry.result ?? '')),
})

const unfinished = { failed: 'not done', cancelled: 'cancelled', timed_out: 'not done in time' } as const

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

/** A step that tells of its fact in one line, or not at all. */
function saying<Told>(say: (told: Told) => Said | null) {
  return (transcript: Transcript, entry: Told & Source['entry'], owner: string): void => {
    const line = say(entry)
    if (line !== null) add(transcript, { entry, owner }, line)
  }
}

function recoveredLine(fact: RecoveryFact): Said | null {
  const text = recoveryText(fact)
  return text === null ? null : said('life', text)
}

function chosenLine(what: string, refused: string | undefined): Said {
  return refused === undefined ? said('life', `${what} from now on`) : said('warning', `not ${what}`, refused)
}

function said(kind: Said['kind'], head: string, text = ''): Said {
  return { kind, head, text }
}

/** The calls of one member that wait for their results. */
interface Calls {
  ask(id: string, label: string): void
  /** Takes the label of a call, once. */
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
  const { state, word } = readEnding(result)
  return said(state === 'failed' ? 'error' : 'result', word === '' ? label : `${word}: ${label}`, resultText(result))
}

function sentLine(envelope: Envelope): Said {
  return said('sent', `${envelope.kind} to ${envelope.to}`, bodyText(envelope))
}

function receivedLine(envelope: Envelope): Said {
  return said('received', `${envelope.kind} from ${envelope.from}`, bodyText(envelope))
}

function allowed(behavior: 'allow' | 'ask' | 'deny'): string {
  return { allow: 'allowed', ask: 'asked', deny: 'denied' }[behavior]
}
