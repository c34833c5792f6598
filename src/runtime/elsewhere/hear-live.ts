import { listenLive } from '../../adapters/live/live-socket.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import type { LiveEvent } from '../../protocol/facts/live.ts'
import type { Delta } from '../agent/agent-deps.ts'
import type { RunContext } from '../context/run-context.ts'

/** The leader's connection to the live sockets of other processes. */
export interface LiveSockets {
  /** The member lives: its socket is listened to from now on, if anybody wants to hear what it writes. */
  attend(member: string): void
  close(): void
}

/**
 * Passes on what members in other processes are writing, as long as somebody listens here. Lossy like every live
 * socket: what is lost comes with the journal, and one that closed is tried again when its member is heard of next.
 */
export function hearLive({ run, distant }: Pick<RunContext, 'run' | 'distant'>): LiveSockets {
  const sockets = new Map<string, () => void>()
  const heard = (event: LiveEvent): void => {
    const delta = deltaOf(event)
    if (delta) distant.publish(delta)
  }
  return {
    attend(member) {
      if (distant.listeners === 0 || sockets.has(member)) return
      const path = readMember(run.dir, member)?.live
      if (path) sockets.set(member, listenLive(path, { heard, gone: () => void sockets.delete(member) }))
    },
    close() {
      for (const stop of sockets.values()) stop()
      sockets.clear()
    },
  }
}

function deltaOf(event: LiveEvent): Delta | null {
  const { member } = event
  switch (event.type) {
    case 'text.delta':
      return { member, type: 'text', text: event.text }
    case 'thinking.delta':
      return { member, type: 'thinking', text: event.text }
    case 'tool.progress':
      return { member, type: 'progress', text: event.text, call_id: event.call_id }
    case 'text.reset':
      return { member, type: 'reset', text: '' }
    default:
      return null
  }
}
