import { openLiveSocket, type LiveSocket } from '../../adapters/live/live-socket.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { LiveEvent } from '../../protocol/facts/live.ts'
import type { Delta } from '../agent/agent-deps.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Offers what is being written in this process at its live socket, for screens that attach. One that comes in the middle of
 * an answer hears the answer from its beginning. Nothing else is kept or made while nobody is connected.
 * @param owner whose process this is: `team` for the leader's
 * @returns the end of the offer
 */
export function offerLive(
  context: Pick<RunContext, 'live' | 'facts' | 'deltas'>,
  owner: string,
  warn: Warn,
): () => void {
  const { live: path, facts, deltas } = context
  if (path === null) return () => undefined
  const unfinished = unfinishedAnswers()
  const follow = [deltas.subscribe(unfinished.hear), facts.subscribe(unfinished.end)]
  let deafen: readonly (() => void)[] = []
  const stop = (): void => {
    for (const end of deafen) end()
    deafen = []
  }
  const socket: LiveSocket = openLiveSocket({
    path,
    member: owner,
    missed: unfinished.events,
    failed: (reason) => warn('live_socket', `nobody can watch this process live: ${reason}`),
    heard(listened) {
      stop()
      if (!listened) return
      deafen = [
        deltas.subscribe((delta) => socket.say(eventOf(delta))),
        facts.subscribe((recorded) => sayFact(socket, recorded)),
      ]
    },
  })
  return () => {
    for (const end of follow) end()
    stop()
    socket.close()
  }
}

/** The answers that models are giving now, as far as they came, by member. */
function unfinishedAnswers() {
  const answers = new Map<string, { text: string; thinking: string }>()
  return {
    hear({ member, type, text }: Delta): void {
      if (type === 'reset') answers.delete(member)
      if (type === 'text' || type === 'thinking') {
        const answer = answers.get(member) ?? { text: '', thinking: '' }
        answer[type] += text
        answers.set(member, answer)
      }
    },
    end({ owner, entry: { type } }: Recorded): void {
      if (type === 'model.requested' || type === 'model.settled') answers.delete(owner)
    },
    events: (): readonly LiveEvent[] =>
      [...answers].flatMap(([member, { text, thinking }]): readonly LiveEvent[] => [
        // One that was here before has a part of it.
        { type: 'text.reset', member },
        ...(thinking === '' ? [] : [{ type: 'thinking.delta' as const, member, text: thinking }]),
        ...(text === '' ? [] : [{ type: 'text.delta' as const, member, text }]),
      ]),
  }
}

type Warn = (code: string, message: string) => void

/** The journal has it already: a fact is told after it was written. */
function sayFact(socket: LiveSocket, { owner: member, entry }: Recorded): void {
  socket.say({ type: 'entry', member, seq: entry.seq })
  const { type } = entry
  if (type === 'model.requested') socket.say({ type: 'request.start', member, turn: entry.turn, model: entry.model })
}

function eventOf({ member, type, text, call_id = '' }: Delta): LiveEvent {
  if (type === 'reset') return { type: 'text.reset', member }
  if (type === 'progress') return { type: 'tool.progress', member, call_id, text }
  return { type: `${type}.delta`, member, text }
}
