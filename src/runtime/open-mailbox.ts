import { homedir } from 'node:os'
import { mailLogOf } from '../adapters/mailbox/mail-log.ts'
import { openMailbox as openBox, type Mailbox } from '../adapters/mailbox/mailbox.ts'
import type { Standing } from '../adapters/mailbox/outbox.ts'
import { sealOf } from '../adapters/mailbox/seal.ts'
import { memoryJournal } from '../adapters/sessions/journal.ts'
import { readRun } from '../adapters/sessions/read-run.ts'
import { runDirectory } from '../adapters/sessions/run-directory.ts'
import { readRunKey } from '../adapters/sessions/run-key.ts'
import { memberName, personOutbox, type AgentId } from '../protocol/ids.ts'
import { systemClock } from './clock.ts'
import { journalWarnings } from './journal-warnings.ts'
import { unledNote } from './runs/leader.ts'
import { closingOnError } from './closing-on-error.ts'
import { durably, runMail } from './mail-options.ts'
import { openOwned } from './owned-journal.ts'
import type { MailSettings } from './mail-options.ts'

export interface OpenMailboxOptions {
  /** The user's directory, where the key of the run is. Default: that of the process's user. */
  readonly home?: string
  readonly mail?: MailSettings
  /** Of a person: continues the outbox of this name (26 characters of a ULID), which then has a journal of its own. */
  readonly person?: string
}

/**
 * Opens a mailbox of a run from outside its processes: a member's own, with the member's journal as its memory, or
 * the outbox of a person (`user`), who only sends. A member's box has one owner at a time, whom this makes you until
 * `close()`.
 *
 * @param dir the run directory
 * @param agent `name@team`, or `user`
 * @throws when the directory is no run, when the run's key cannot be read, and LeaseHeld (with process and start) when
 * the member runs somewhere
 * @example
 * const box = openMailbox('.troupe/runs/demo-01J…', 'user')
 * box.send({ to: 'lead@demo', kind: 'text', body: 'Mind the tests.', key: 'note-1' })
 * box.close()
 */
export function openMailbox(dir: string, agent: AgentId | 'user', options: OpenMailboxOptions = {}): Mailbox {
  const { run } = readRun(dir)
  if (!run) throw new Error(`${dir} is no run directory: its run.json is missing or unreadable`)
  const { home = homedir(), mail = {} } = options
  const clock = systemClock()
  const incarnation = clock.mint()
  const directory = runDirectory(dir, run.team)
  const seal = sealOf(readRunKey(home, run.run))
  const owner = agent === 'user' ? personOutbox(options.person ?? clock.mint()) : memberName(agent)
  const { journal, entries, problems } =
    agent === 'user' && options.person === undefined
      ? { journal: memoryJournal(owner, clock.now), entries: [], problems: [] }
      : openOwned({ run: directory, clock }, { owner, incarnation })
  journal.append(journalWarnings(owner, problems))
  const shared = runMail({ run: directory, team: run.team, clock, mail })
  const log = mailLogOf(
    durably((facts) => void journal.append(facts), journal, shared),
    entries,
  )
  const open = () => openBox({ ...shared, owner, from: agent, log, seal, incarnation, standing: standingIn(dir) })
  const box = closingOnError(() => journal.close(), open)
  return {
    ...box,
    close() {
      box.close()
      journal.close()
    },
  }
}

/** What the run directory says of whoever is written to from outside. */
function standingIn(dir: string): (name: string) => Standing {
  return (name) => {
    const { run, members } = readRun(dir)
    const unled = unledNote(dir, run)
    if (unled !== null) return { note: unled }
    const member = members.find(({ id }) => memberName(id) === name)
    return member?.state === 'gone' ? { note: `${name} was stopped; it is started again to read this.` } : null
  }
}
