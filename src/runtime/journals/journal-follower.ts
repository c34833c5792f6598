import { basename, join } from 'node:path'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { journalCursor, type JournalCursor, type JournalPosition } from '../../adapters/sessions/journal-cursor.ts'
import { ownerOfJournal } from '../../adapters/sessions/segments.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'

/** The leader's view of the journals that other processes write: each entry once, in the order of its journal. */
export interface JournalFollower {
  /** Follows a member's journal from `position` on, a line end; one that is followed already is not begun again. */
  follow(owner: string, position?: JournalPosition): void
  /** Tells everything that has been written by now. */
  catchUp(): void
  close(): void
}

/** Callbacks for entries, and for lines that are none. */
export interface JournalListener {
  heard(recorded: Recorded): void
  warn(code: string, message: string): void
}

/** Watching begins with the first journal: a team in one process has nothing to watch. */
export function followJournals(run: RunDirectory, { heard, warn }: JournalListener): JournalFollower {
  const cursors = new Map<string, JournalCursor>()
  let stop: (() => void) | null = null
  const read = (owner: string, cursor: JournalCursor): void => {
    const { entries, problems } = cursor.read()
    // The header is no fact: whoever writes a journal tells nobody of it either.
    for (const entry of entries) if (entry.type !== 'journal.opened') heard({ owner, entry })
    for (const problem of problems) warn('journal', problem)
  }
  const hint = (file: string | null): void => {
    const owner = file === null ? null : ownerOfJournal(basename(file))
    for (const [followed, cursor] of cursors) if (file === null || followed === owner) read(followed, cursor)
  }
  return {
    follow(owner, position) {
      if (!cursors.has(owner)) cursors.set(owner, journalCursor(run.journalFile(owner), position))
      stop ??= watchFolder(join(run.dir, 'journal'), hint)
    },
    catchUp: () => hint(null),
    close() {
      stop?.()
      stop = null
    },
  }
}
