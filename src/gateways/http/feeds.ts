import type { RunEvent } from '../../protocol/facts/run-event.ts'
import { openRunFeed, type RunFeed } from '../../runtime/runs/run-events.ts'
import { freshSecret } from '../../runtime/settings/server-tokens.ts'

/** The stream of one run, shared by all who read it here. */
export interface SharedFeed {
  readonly feed: RunFeed
  /** Names this numbering of the facts: another process, or a later watch, numbers anew. */
  readonly epoch: string
}

/** The streams that are read now. A run is watched once, however many read it. */
export interface Feeds {
  /** Null when so many read already that one more is not served. */
  join(dir: string): SharedFeed | null
  leave(dir: string): void
  close(): void
}

/** How long a run is watched after its last reader left: who comes again goes on where it was. */
const lingerMs = 60_000

interface Kept extends SharedFeed {
  readers: number
  end?: NodeJS.Timeout
}

/** @param most readers of all runs together */
export function openFeeds(most: number): Feeds {
  const kept = new Map<string, Kept>()
  let readers = 0
  const forget = (dir: string): void => {
    kept.get(dir)?.feed.close()
    kept.delete(dir)
  }
  return {
    join(dir) {
      if (readers >= most) return null
      const found = kept.get(dir) ?? begin(dir)
      readers += 1
      clearTimeout(found.end)
      found.readers += 1
      kept.set(dir, found)
      return found
    },
    leave(dir) {
      readers -= 1
      const found = kept.get(dir)
      if (found === undefined) return
      found.readers -= 1
      if (found.readers === 0) found.end = setTimeout(() => forget(dir), lingerMs).unref()
    },
    close() {
      for (const [dir, { end }] of kept) {
        clearTimeout(end)
        forget(dir)
      }
    },
  }
}

function begin(dir: string): Kept {
  return { feed: openRunFeed(dir, () => undefined), epoch: freshSecret(), readers: 0 }
}

/** The JSON of events, made once for all readers. */
const written = new WeakMap<RunEvent, string>()

/** An event as a line of JSON. */
export function eventText(event: RunEvent): string {
  const known = written.get(event)
  if (known !== undefined) return known
  const text = JSON.stringify(event)
  written.set(event, text)
  return text
}

/**
 * The number of the last fact that a reader has of this numbering.
 * @param id what the reader says: `<epoch>.<number>`
 * @example afterOf('4711-lz0.17', '4711-lz0') // 17
 */
export function afterOf(id: string | undefined, epoch: string): number {
  const at = id?.lastIndexOf('.') ?? -1
  if (id === undefined || id.slice(0, at) !== epoch) return 0
  const number = Number(id.slice(at + 1))
  return Number.isSafeInteger(number) && number > 0 ? number : 0
}
