import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { journalCursor, type JournalCursor } from '../../src/adapters/sessions/journal-cursor.ts'
import { listRuns } from '../../src/adapters/sessions/read-run.ts'
import { leaderName } from '../../src/protocol/words/ids.ts'
import { runsRoot } from '../../src/runtime/runs/read-runs.ts'

/** How far a run has come, as its journals say while others write them. */
export interface Pulse {
  /** Entries of all journals. */
  entries: number
  /** How often a worker was answered by its model. */
  answers: number
  /** How often the run was begun or led on. */
  leaders: number
}

/** Looks at the journals of the only run of a directory; each look reads what is new. */
export function pulseOf(cwd: string): () => Readonly<Pulse> {
  const cursors = new Map<string, JournalCursor>()
  const pulse: Pulse = { entries: 0, answers: 0, leaders: 0 }
  return () => {
    const dir = listRuns(runsRoot(cwd))[0]?.dir
    for (const file of dir === undefined ? [] : journalsIn(dir)) {
      const cursor = cursors.get(file) ?? journalCursor(file)
      cursors.set(file, cursor)
      for (const entry of cursor.read().entries) {
        pulse.entries += 1
        if (entry.type === 'team.started' || entry.type === 'team.resumed') pulse.leaders += 1
        const isAnswer = entry.type === 'message.appended' && entry.message.role === 'assistant'
        if (isAnswer && !/^(lead|team)-/.test(entry.id)) pulse.answers += 1
      }
    }
    return pulse
  }
}

/** The leader's own first, so that it is never behind the others. */
function journalsIn(dir: string): readonly string[] {
  try {
    const names = readdirSync(join(dir, 'journal')).filter((name) => /^[^.].*\.jsonl$/.test(name))
    return names
      .toSorted((a, b) => Number(b.startsWith(leaderName)) - Number(a.startsWith(leaderName)))
      .map((name) => join(dir, 'journal', name))
  } catch {
    // There is none yet.
    return []
  }
}
