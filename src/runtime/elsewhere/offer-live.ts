import { openLiveSocket, type LiveSocket } from '../../adapters/live/live-socket.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { LiveEvent } from '../../protocol/facts/live.ts'
import type { Delta } from '../agent/agent-deps.ts'
import type { RunContext } from '../context/run-context.ts'

/**
 * Offers what is being written in this process at its live socket, for screens that attach. Nothing is listened to and
 * nothing is made while nobody is connected.
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
  let deafen: readonly (() => void)[] = []
  const stop = (): void => {
    for (const end of deafen) end()
    deafen = []
  }
  const socket: LiveSocket = openLiveSocket({
    path,
    member: owner,
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
    stop()
    socket.close()
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
