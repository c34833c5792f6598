import { eventFrames } from '../../projections/fold/event-frame.ts'
import type { AgentEvent, AgentNews } from '../../protocol/facts/run-event.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { addUsage, callsOf, noUsage, type ToolUseBlock, type Usage } from '../../protocol/conversation/message.ts'
import { noWords, wordsAfter } from '../../rules/conversation/cut-answer.ts'
import type { StreamOptions } from '../actors/stream.ts'
import type { Delta } from './agent-deps.ts'

/** Turns one run's facts and deltas into what its caller iterates; a fold with an outlet. */
export interface EventFold {
  fact(entry: Entry): void
  delta(delta: Delta): void
  /** An event of an agent that works for this one, in its own run. */
  child(event: AgentEvent): void
  /** Usage of this run so far. */
  usage(): Usage
  /** The latest words of this run. */
  text(): string
}

/** The agent whose run is told, and when each event happens. */
interface Told {
  readonly agent: string
  readonly now: () => number
  /** Calls that an earlier process left without a result. */
  readonly left: readonly ToolUseBlock[]
}

/**
 * The events of one run, in the order of its facts.
 * @param hear hears each event
 */
export function eventFold(hear: (event: AgentEvent) => void, { agent, now, left }: Told): EventFold {
  const inputs = new Map<string, unknown>(left.map(({ id, input }) => [id, input]))
  const { push, child, begin } = enveloped(hear, agent, now)
  const words = spokenWords()
  let usage = noUsage

  const appended = ({ id, message }: Said): void => {
    words.said.push({ id, message })
    if (message.role === 'assistant') for (const call of callsOf(message)) inputs.set(call.id, call.input)
    else if (message.role === 'tool') {
      for (const result of message.results) push({ type: 'tool.result', result })
    }
  }
  return {
    usage: () => usage,
    text: words.text,
    child,
    delta({ type, text: said, call_id: call = '' }) {
      if (type === 'reset') push({ type: 'text.reset' })
      else if (type === 'progress') push({ type: 'tool.progress', call_id: call, text: said })
      else push({ type: deltaNames[type], text: said })
    },
    fact(entry) {
      begin(entry)
      push({ type: 'fact', fact: entry })
      if (entry.type === 'model.requested') push({ type: 'request.start', model: entry.model })
      else if (entry.type === 'message.appended') appended(entry)
      else if (entry.type === 'message.tombstoned') {
        words.withdraw(entry.target)
        push({ type: 'text.reset' })
      } else if (entry.type === 'model.settled') {
        usage = addUsage(usage, entry.usage)
        if (entry.failure) push({ type: 'error', failure: entry.failure })
      } else if (entry.type === 'call.started') {
        const { call_id, tool } = entry
        push({ type: 'tool.dispatch', call_id, tool, input: inputs.get(call_id) })
      } else if (entry.type === 'turn.continued') push({ type: 'turn.continued', reason: entry.reason })
      else if (entry.type === 'agent.ended') push({ type: 'complete', reason: entry.reason, text: words.text(), usage })
    },
  }
}

/** Puts the events of a run into their envelopes: one after the other, with the turn that goes on. */
function enveloped(hear: (event: AgentEvent) => void, agent: string, now: () => number) {
  let frames = eventFrames({ run: '', root: agent })
  let begun = false
  let seq = 0
  return {
    push(news: AgentNews): void {
      seq += 1
      const at = news.type === 'fact' ? news.fact.at : now()
      hear({ ...frames.frame(agent, seq, at), ...news })
    },
    begin(entry: Entry): void {
      if (!begun) frames = eventFrames({ run: entry.id, root: agent })
      begun = true
      frames.apply({ owner: agent, entry })
    },
    /** An event of an agent that works for this one. */
    child(event: AgentEvent): void {
      seq += 1
      hear({ ...event, seq, depth: event.depth + 1 })
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
  if (last.turn !== next.turn || last.run !== next.run) return null
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
  dropped(count, { v, seq, at, run, member, turn, depth }) {
    return { v, seq, at, run, member, turn, depth, type: 'dropped', count }
  },
}
