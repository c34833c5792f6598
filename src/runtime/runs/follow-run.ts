import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { journalCursor, type JournalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readRun } from '../../adapters/sessions/read-run.ts'
import { journalOwners } from '../../adapters/sessions/segments.ts'
import { getOrMake } from '../../projections/fold/fold.ts'
import { endOfRun } from '../../projections/team/run-end.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { leadingPid } from './leader.ts'
import { journalFile } from './read-runs.ts'

const pollMs = 150

/**
 * Every entry of a run, those that are there and those to come, until the run ends, its leader is gone, or the signal aborts.
 * Journals are only read: `onProblem` hears of lines that are none.
 *
 * @example for await (const recorded of followRun(dir, { signal, onProblem: console.error })) print(recorded)
 */
export async function* followRun(
  dir: string,
  options: { readonly signal: AbortSignal; readonly onProblem: (problem: string) => void },
): AsyncIterable<Recorded> {
  const cursors = new Map<string, JournalCursor>()
  let ended = false
  while (!options.signal.aborted) {
    const fresh = readOn(dir, cursors, options.onProblem)
    yield* fresh.toSorted((a, b) => a.entry.at - b.entry.at)
    // One more look after the end: a member's last line may lie behind the team's.
    if (ended) return
    ended =
      endOfRun(fresh.map(({ entry }) => entry)) !== null ||
      (fresh.length === 0 && leadingPid(dir, readRun(dir).run) === null)
    await pause(pollMs, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

function readOn(
  dir: string,
  cursors: Map<string, JournalCursor>,
  onProblem: (problem: string) => void,
): readonly Recorded[] {
  return journalOwners(join(dir, 'journal')).flatMap((owner) => {
    const cursor = getOrMake(cursors, owner, () => journalCursor(journalFile(dir, owner)))
    const { entries, problems } = cursor.read()
    for (const problem of problems) onProblem(problem)
    return entries.map((entry) => ({ owner, entry }))
  })
}
