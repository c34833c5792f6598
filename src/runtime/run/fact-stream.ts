import type { Recorded } from '../../protocol/facts/entry.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import type { Broadcast } from '../actors/broadcast.ts'
import { stream, type Stream } from '../actors/stream.ts'

/** Facts from now on, until the run is over. */
export function streamOf(
  facts: Broadcast<Recorded>,
  result: Promise<RunResult>,
  readers: Set<Stream<Recorded>>,
): AsyncIterable<Recorded> {
  const open = stream<Recorded>({
    isRead: true,
    bound: 10_000,
    onReturn() {
      leave()
      readers.delete(open)
    },
  })
  readers.add(open)
  const leave = facts.subscribe(open.push)
  void result.then(open.end, open.end)
  return open
}
