import { mailLogOf } from '../adapters/mailbox/mail-log.ts'
import { openMailbox as openBox, type Mailbox } from '../adapters/mailbox/mailbox.ts'
import { memoryJournal } from '../adapters/sessions/journal.ts'
import { readRun } from '../adapters/sessions/read-run.ts'
import { runDirectory } from '../adapters/sessions/run-directory.ts'
import type { Fact } from '../protocol/fact.ts'
import { memberName, type AgentId } from '../protocol/ids.ts'
import { systemClock } from './clock.ts'

/**
 * Opens a mailbox of a run from outside its processes: a member's own, with the member's journal as its memory, or
 * the outbox of a person (`user`), who only sends. A member's box has one owner at a time: use it when the member
 * does not run.
 *
 * @param dir the run directory
 * @param agent `name@team`, or `user`
 * @throws when the directory is no run
 * @example
 * const box = openMailbox('.troupe/runs/demo-01J…', 'user')
 * box.send({ to: 'lead@demo', kind: 'text', body: 'Mind the tests.', key: 'note-1' })
 */
export function openMailbox(dir: string, agent: AgentId | 'user'): Mailbox {
  const { run } = readRun(dir)
  if (!run) throw new Error(`${dir} is no run directory: its run.json is missing or unreadable`)
  const clock = systemClock()
  const directory = runDirectory(dir, run.team)
  const owner = agent === 'user' ? `user-${clock.mint()}` : memberName(agent)
  const opened =
    agent === 'user'
      ? { journal: memoryJournal(owner, clock.now), entries: [] }
      : directory.openJournal(owner, clock.now)
  return openBox({
    dir: directory.mail,
    owner,
    from: agent,
    team: run.team.name,
    roster: run.team.members.map(({ name }) => name),
    log: mailLogOf((facts: readonly Fact[]) => opened.journal.append(facts), opened.entries),
    now: clock.now,
    mint: clock.mint,
  })
}
