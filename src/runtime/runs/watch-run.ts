import { join } from 'node:path'
import { listenLive } from '../../adapters/live/live-socket.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { journalCursor, type JournalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import { journalOwners, ownerOfJournal } from '../../adapters/sessions/segments.ts'
import { getOrMake } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { LiveEvent } from '../../protocol/facts/live.ts'
import { livingLeader } from './leader.ts'
import { pendingApprovals, type PendingApproval } from './answer-approval.ts'
import { journalFile, unreadOf } from './read-runs.ts'

/** Callbacks for a run that is watched, in the order in which a screen shows things. */
export interface RunListener {
  /** Journal entries, each once: those that are there at first, then those that come. */
  recorded(batch: readonly Recorded[]): void
  /** A piece of text that is being written now; pieces may be lost. Earlier entries are handed over before it. */
  live(event: LiveEvent): void
  /** The present state of everything that stands in no journal. */
  stand(standing: RunNow): void
  problem(text: string): void
}

export interface RunNow {
  /** The process that leads the run lives. Once it is gone, all of the journals was handed over. */
  readonly led: boolean
  /** Questions that wait, the oldest first. */
  readonly pending: readonly PendingApproval[]
  /** Messages in each mailbox, by member. */
  readonly unread: ReadonlyMap<string, number>
}

/**
 * Watches a run from outside: its journals, which are the truth, and the live sockets of its processes, which say sooner
 * what is being written. Nothing of the run is touched, and as many may watch as like.
 * @param dir the run directory
 * @returns the end of the watch
 * @example const stop = watchRun(dir, { recorded: show, live: show, stand: show, problem: console.error })
 */
export function watchRun(dir: string, listener: RunListener): () => void {
  const journals = journalsOf(dir, listener)
  const sockets = socketsOf((event) => {
    if (event.type === 'entry') journals.read(event.member)
    else listener.live(event)
  })
  const look = inTurns(function* () {
    const live = new Set<string>()
    for (const file of namesIn(join(dir, 'members'))) {
      const member = file.endsWith('.json') ? readMember(dir, file.slice(0, -'.json'.length)) : null
      if (member?.live && member.state !== 'gone') live.add(member.live)
      yield
    }
    const unread = new Map<string, number>()
    for (const name of namesIn(join(dir, 'mail'))) {
      unread.set(name, unreadOf(dir, name))
      yield
    }
    sockets.follow(live)
    const led = livingLeader(dir) !== null
    // A leader that is gone has written its last line.
    if (!led) journals.readAll()
    listener.stand({ led, pending: pendingApprovals([dir]), unread })
  })
  const reread = inTurns(journals.readEach)
  journals.readAll()
  look.begin()
  const ends = [
    watchFolder(join(dir, 'journal'), (file) => (file === null ? reread.begin() : journals.hint(file))),
    // The reconciling look of this watcher, once a second, also finds questions, mail and processes that came or went.
    watchFolder(join(dir, 'members'), look.begin),
    look.end,
    reread.end,
    sockets.close,
  ]
  return () => {
    for (const end of ends) end()
  }
}

/** Steps that are done before whatever else waits: keys, frames, tokens. */
const stepsAtOnce = 25

/** A look at many things, some of them at a time; asked for again meanwhile, it begins anew when it is done. */
function inTurns(steps: () => Generator<void>) {
  let state: 'resting' | 'looking' | 'asked again' | 'ended' = 'resting'
  const go = (rest: Generator<void>): void => {
    for (let n = 0; n < stepsAtOnce && state !== 'ended'; n += 1) {
      if (!rest.next().done) continue
      const again = state === 'asked again'
      state = 'resting'
      if (again) begin()
      return
    }
    if (state !== 'ended') setImmediate(go, rest)
  }
  const begin = (): void => {
    if (state === 'ended') return
    if (state !== 'resting') {
      state = 'asked again'
      return
    }
    state = 'looking'
    go(steps())
  }
  return {
    begin,
    end(): void {
      state = 'ended'
    },
  }
}

interface Journals {
  read(owner: string): void
  /** The same for all, one journal at a step. */
  readEach(): Generator<void>
  readAll(): void
  hint(file: string): void
}

function journalsOf(dir: string, { recorded, problem }: RunListener): Journals {
  const cursors = new Map<string, JournalCursor>()
  const fresh = (owner: string): readonly Recorded[] => {
    const { entries, problems } = getOrMake(cursors, owner, () => journalCursor(journalFile(dir, owner))).read()
    for (const text of problems) problem(text)
    return entries.map((entry) => ({ owner, entry }))
  }
  const tell = (batch: readonly Recorded[]): void => {
    if (batch.length > 0) recorded(batch)
  }
  return {
    read: (owner) => tell(fresh(owner)),
    *readEach() {
      for (const owner of journalOwners(join(dir, 'journal'))) {
        tell(fresh(owner))
        yield
      }
    },
    readAll() {
      tell(
        journalOwners(join(dir, 'journal'))
          .flatMap(fresh)
          .toSorted((a, b) => a.entry.at - b.entry.at),
      )
    },
    hint(file) {
      const owner = ownerOfJournal(file)
      if (owner !== null) tell(fresh(owner))
    },
  }
}

/** The live sockets that the members name; one that closed is tried again as long as a member names it. */
function socketsOf(heard: (event: LiveEvent) => void) {
  const open = new Map<string, () => void>()
  return {
    follow(paths: ReadonlySet<string>): void {
      for (const path of paths) {
        getOrMake(open, path, () => listenLive(path, { heard, gone: () => void open.delete(path) }))
      }
    },
    close(): void {
      for (const stop of open.values()) stop()
    },
  }
}
