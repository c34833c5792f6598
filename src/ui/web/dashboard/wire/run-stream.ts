import type { Recorded } from '../../../../protocol/facts/entry.ts'
import type { LiveEvent } from '../../../../protocol/facts/live.ts'
import type { RunEvent } from '../../../../protocol/facts/run-event.ts'
import { getJson, parsed, Refused, runPath } from './server.ts'

/** How the stream of a run stands: `over` nobody leads the run, `lost` the server does not answer, `closed` no session. */
export type StreamLink = 'live' | 'over' | 'lost' | 'closed'

/** Hears the events of a run. */
export interface Listener {
  fact(recorded: Recorded): void
  live(event: LiveEvent): void
  link(link: StreamLink): void
}

/** How often a run that is over is looked at: somebody may lead it on. */
const lookMs = 4_000

/**
 * Follows a run: what was, what is, and again when it is led on. Each fact is told once, in the order of its journal.
 * @returns ends it
 */
export function followRun(run: string, listener: Listener): () => void {
  const heard = new Map<string, number>()
  const stop = new AbortController()
  const hear = (text: string): void => {
    const event = parsed(text) as RunEvent
    if (event.type !== 'fact') {
      listener.live(event)
      return
    }
    const { member: owner, fact: entry } = event
    // Another watch numbers facts anew, and begins from the first one.
    if (entry.seq <= (heard.get(owner) ?? 0)) return
    heard.set(owner, entry.seq)
    listener.fact({ owner, entry })
  }
  const open = (): void => {
    const source = new EventSource(runPath(run, '/events'))
    stop.signal.addEventListener('abort', () => source.close())
    source.addEventListener('open', () => listener.link('live'))
    source.addEventListener('message', ({ data }: MessageEvent<string>) => hear(data))
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) void closed()
      else void tellEnd(run, listener, stop.signal)
    })
  }
  const closed = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const state = await stateOf(run, stop.signal)
      if (stop.signal.aborted) return
      if (state === 'running') {
        open()
        return
      }
      listener.link(state)
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    }
  }
  open()
  return () => stop.abort()
}

/** The stream of a run that is over ends as one that broke does: the browser asks once more, and what it is is looked up. */
async function tellEnd(run: string, listener: Listener, signal: AbortSignal): Promise<void> {
  const state = await stateOf(run, signal)
  if (state !== 'running' && !signal.aborted) listener.link(state)
}

async function stateOf(run: string, signal: AbortSignal): Promise<'running' | Exclude<StreamLink, 'live'>> {
  try {
    const { state } = await getJson<{ readonly state: string }>(runPath(run), signal)
    return state === 'running' ? 'running' : 'over'
  } catch (error) {
    return error instanceof Refused && error.status === 401 ? 'closed' : 'lost'
  }
}
