import type { AgentEvent } from '../../protocol/conversation/agent-event.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { addUsage, callsOf, noUsage, type ToolUseBlock, type Usage } from '../../protocol/conversation/message.ts'
import { noWords, wordsAfter } from '../../rules/conversation/cut-answer.ts'
import type { StreamOptions } from '../actors/stream.ts'
import type { Delta } from './agent-deps.ts'

/** Turns one run's facts and deltas into what its caller iterates; a fold with an outlet. */
export interface EventFold {
  fact(entry: Entry): void
  delta(delta: Delta): void
  /** Usage of this run so far. */
  usage(): Usage
  /** The latest words of this run. */
  text(): string
}

/**
 * The events of one run, in the order of its facts.
 * @param push hears each event
 * @param left calls that an earlier process left without a result
 */
export function eventFold(push: (event: AgentEvent) => void, left: readonly ToolUseBlock[] = []): EventFold {
  const inputs = new Map<string, unknown>(left.map(({ id, input }) => [id, input]))
  let turn = 0
  const words = spokenWords()
  let usage = noUsage

  const appended = ({ id, message }: Said): void => {
    words.said.push({ id, message })
    if (message.role === 'assistant') for (const call of callsOf(message)) inputs.set(call.id, call.input)
    else if (message.role === 'tool') {
      for (const result of message.results) push({ type: 'tool.result', turn, result })
    }
  }
  return {
    usage: () => usage,
    text: words.text,
    delta({ type, text: said, call_id: call = '' }) {
      if (type === 'reset') push({ type: 'text.reset', turn })
      else if (type === 'progress') push({ type: 'tool.progress', turn, call_id: call, text: said })
      else push({ type: deltaNames[type], turn, text: said })
    },
    fact(entry) {
      if (entry.type === 'model.requested') {
        turn = entry.turn
        push({ type: 'request.start', turn, model: entry.model })
      } else if (entry.type === 'message.appended') appended(entry)
      else if (entry.type === 'message.tombstoned') {
        words.withdraw(entry.target)
        push({ type: 'text.reset', turn })
      } else if (entry.type === 'model.settled') {
        usage = addUsage(usage, entry.usage)
        if (entry.failure) push({ type: 'error', turn, failure: entry.failure })
      } else if (entry.type === 'call.started') {
        const { call_id, tool } = entry
        push({ type: 'tool.dispatch', turn, call_id, tool, input: inputs.get(call_id) })
      } else if (entry.type === 'turn.continued') push({ type: 'turn.continued', turn, reason: entry.reason })
      else if (entry.type === 'agent.ended')
        push({ type: 'complete', turn, reason: entry.reason, text: words.text(), usage })
    },
  }
}

/** A message that became part of the conversation in this run. */
type Said = Pick<Extract<Entry, { type: 'message.appended' }>, 'id' | 'message'>

function spokenWords() {
  const said: Said[] = []
  return {
    said,
    withdraw: (target: string): void => void said.splice(0, said.length, ...said.filter(({ id }) => id !== target)),
    text: (): string => said.reduce((words, { message }) => wordsAfter(words, message), noWords).text,
  }
}

/** A table: a name put together for each delta would cost more than the delta. */
const deltaNames = { text: 'text.delta', thinking: 'thinking.delta' } as const

/** Characters of one call's progress that wait for a slow reader. */
const longestProgress = 8_192

/** Deltas and the progress of a call that a slow reader has not taken yet grow together; everything else stays apart. */
export function mergeDeltas(last: AgentEvent, next: AgentEvent): AgentEvent | null {
  if (last.turn !== next.turn) return null
  if (last.type === 'tool.progress' && next.type === 'tool.progress' && last.call_id === next.call_id) {
    const text = last.text + next.text
    const left_out = (last.left_out ?? 0) + Math.max(0, text.length - longestProgress)
    return { ...last, text: text.slice(-longestProgress), ...(left_out > 0 ? { left_out } : {}) }
  }
  if (last.type !== next.type || (last.type !== 'text.delta' && last.type !== 'thinking.delta')) return null
  return 'text' in next ? { ...last, text: last.text + next.text } : null
}

/** Text that the whole message, or the result of the call, repeats. */
const repeated: ReadonlySet<AgentEvent['type']> = new Set(['text.delta', 'thinking.delta', 'tool.progress'])

/** Bounds on the events of a run whose reader is slow. */
export const slowReader: StreamOptions<AgentEvent> = {
  merge: mergeDeltas,
  mayDrop: ({ type }) => repeated.has(type),
  dropped: (count, { turn }) => ({ type: 'dropped', turn, count }),
}
