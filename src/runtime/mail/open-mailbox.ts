import type { Fact } from '../../protocol/facts/fact.ts'
import { mailLogOf } from '../../adapters/mailbox/files/mail-log.ts'
import { mailFold, wholeMailFold } from '../../adapters/mailbox/files/mail-memory.ts'
import { createMailbox, type Mailbox } from '../../adapters/mailbox/mailbox.ts'
import type { Deliverability } from '../../adapters/mailbox/send/outbox.ts'
import { sealOf } from '../../adapters/mailbox/files/read-mail.ts'
import { memoryJournal } from '../../adapters/sessions/journal.ts'
import { readRun, readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import {
  agentId,
  isPersonOutbox,
  memberName,
  personOutbox,
  personSender,
  type AgentId,
} from '../../protocol/words/ids.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { systemClock } from '../actors/clock.ts'
import { journalWarnings, closingOnError, openOwned } from '../journals/ledger.ts'
import { sentUnder } from '../journals/mail-fates.ts'
import { unledNote } from '../runs/leader.ts'
import { checkMailSettings, durably, runMail, type MailSettings } from '../context/mail-options.ts'
import { deliverabilityOnDisk } from '../context/deliverability.ts'
import { ownPlace } from '../actors/own-place.ts'

export interface OpenMailboxOptions {
  /** The user's directory, where the key of the run is. Default: that of the process's user. */
  readonly home?: string
  readonly mail?: MailSettings
  /**
   * Of a member: `done` (default) hands received mail out again when the box is opened again, until `done(id)` was called
   * for it; `auto` hands it out once.
   */
  readonly confirm?: 'auto' | 'done'
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
 * @throws when the directory is no run or the agent nobody in it, when an option is none, when the run's key cannot be read, and LeaseHeld (with process and start) when
 * the member runs somewhere
 * @example
 * const box = openMailbox('.troupe/runs/demo-01J…', 'user')
 * box.send({ to: 'lead@demo', kind: 'text', body: 'Mind the tests.', key: 'note-1' })
 * box.close()
 */
export function openMailbox(dir: string, agent: AgentId | 'user', options: OpenMailboxOptions = {}): Mailbox {
  const { run } = readRun(dir)
  if (!run) throw new Error(unreadableRun(dir))
  const { home = ownPlace.home, mail = {}, confirm = 'done', person } = options
  checkMailSettings(mail)
  if (!['auto', 'done'].includes(confirm))
    throw new Error(`confirm is ${JSON.stringify(confirm)}: it has to be auto or done`)
  const clock = systemClock()
  const incarnation = clock.mint()
  const owner = agent === personSender ? outboxOf(person ?? incarnation) : nameIn(run, agent)
  const directory = runDirectory(dir, run.team)
  const seal = sealOf(readRunKey(home, run.run))
  const isKept = agent !== personSender || person !== undefined
  const { journal, state, problems, owns } = isKept
    ? openOwned({ run: directory, clock }, { owner, incarnation }, mailFold)
    : { ...memoryJournal({ owner, now: clock.now, fold: wholeMailFold }), owns: () => undefined }
  journal.append(journalWarnings(owner, problems))
  const shared = runMail({ run: directory, team: run.team, clock, mail })
  const write = (facts: readonly Fact[]): void => void journal.append(facts)
  const append = shared.durability === 'power' ? durably(write, journal) : write
  const log = mailLogOf(append, state, isKept ? sentUnder(directory.journalFile(owner)) : undefined)
  const deliverability = deliverabilityIn(directory.dir)
  const own = { owner, from: agent, log, seal, incarnation, confirm, deliverability, owns }
  const box = closingOnError(
    () => journal.close(),
    () => createMailbox({ ...shared, ...own }),
  )
  return {
    ...box,
    close() {
      box.close()
      journal.close()
    },
  }
}

function outboxOf(person: string): string {
  const outbox = personOutbox(person)
  if (!isPersonOutbox(outbox)) throw new Error(`${JSON.stringify(person)} is no ULID, which the outbox of a person has`)
  return outbox
}

/** An unknown name gets no journal and no lease. */
function nameIn({ run, team }: Pick<RunFile, 'run' | 'team'>, agent: AgentId): string {
  const ids = team.members.map(({ name }) => agentId(name, team.name))
  if (ids.includes(agent)) return memberName(agent)
  const guess = didYouMean(agent, ids)
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  throw new Error(`${JSON.stringify(agent)} is no member of ${run}.${hint} Members: ${ids.join(', ')}.`)
}

/** Whether mail from outside would be read, as the run directory says; mail to many asks for its leader once. */
function deliverabilityIn(dir: string): (name: string) => Deliverability {
  const led = deliverabilityOnDisk(dir)
  let unled: string | null | undefined
  return (name) => {
    if (unled === undefined) {
      unled = unledNote(dir, readRunFile(dir))
      queueMicrotask(() => (unled = undefined))
    }
    return unled === null ? led(name) : { note: unled }
  }
}
