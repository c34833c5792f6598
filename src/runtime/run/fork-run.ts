import { existsSync, linkSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { mailFile, mailFolders } from '../../adapters/mailbox/files/mail-files.ts'
import { post } from '../../adapters/mailbox/send/outbox.ts'
import { sealOf, type Seal } from '../../adapters/mailbox/files/read-mail.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { createRun, type RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import { unfinishedPrefix } from '../../adapters/sessions/write-json.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { systemClock, type Clock } from '../actors/clock.ts'
import { reopen } from './continue-team.ts'
import { gitHead } from '../../adapters/worktrees/git-process.ts'
import { journalFile } from '../runs/read-runs.ts'
import { ownPlace } from '../actors/own-place.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** Where a run is forked, and what a new run needs. */
export interface ForkRunOptions {
  /** The id of the last entry that both runs share, such as `lead-17`. */
  readonly at: string
  /** Where the keys are; default: the user's directory. */
  readonly home?: string
  readonly clock?: Clock
  /** Where the new run works; default: where the other one did. */
  readonly cwd?: string
  /** The task of the new run; the lead must not have had its own by then. */
  readonly task?: string | undefined
}

/** A run that cannot be forked so, and why. */
export class NotForkable extends UsageError {
  override readonly name = 'NotForkable'
}

/**
 * Makes a new run whose members remember another run up to one entry of it: what every journal held at that moment, with
 * the same ids. Mail that was read by then stands in the journals; mail that was on its way lies in the mailboxes again.
 * Files of the working directory are as they are; `openForkTree` makes another one. Nobody leads the new run yet.
 * @returns its directory
 * @throws NotForkable when there is no such entry, or the run had not begun by then
 * @example resumeTeam(forkRun(dir, { at: 'lead-17' }))
 */
export function forkRun(dir: string, options: ForkRunOptions): string {
  const { at, home = ownPlace.home, clock = systemClock() } = options
  const { run: file, journals } = readRun(dir)
  if (!file) throw new NotForkable(unreadableRun(dir))
  const shared = sharedPast(dir, journals, at)
  const { team, launch } = file
  const { cwd = file.cwd, task = file.task } = options
  if (task !== file.task) refuseTold(shared, team.coordinator)
  const run = createRun({
    root: dirname(dir),
    team,
    task,
    cwd,
    home,
    git_head: gitHead({ cwd, env: ownPlace.env }),
    ulid: clock.mint(),
    created: clock.now(),
    // The trace is that of the run from which the new one begins.
    ...(launch ? { launch: { ...launch, traceparent: undefined } } : {}),
  })
  const seal = sealOf(readRunKey(home, run.id))
  const later = clock.now() - (shared.at(-1)?.entry.at ?? clock.now())
  const past = shared.map(({ owner, entry }) => ({ owner, entry: asOf(entry, { run: run.id, task, later, seal }) }))
  for (const owner of new Set(past.map((each) => each.owner))) writeJournal(run, owner, past)
  carryMail(run, past)
  carryArtifacts(dir, run)
  reopen(run.dir, file, { clock })
  return run.dir
}

/** The content of all journals at the time when the entry was written. */
function sharedPast(dir: string, journals: readonly string[], at: string): readonly Recorded[] {
  const read = journals.map((owner) => readJournal(journalFile(dir, owner)).entries.map((entry) => ({ owner, entry })))
  const merged = mergeJournals(read)
  const cut = merged.findIndex(({ entry }) => entry.id === at)
  const name = basename(dir)
  if (cut < 0) throw new NotForkable(`${name} has no entry "${at}"; troupe logs ${name} shows the ids of all`)
  const shared = merged.slice(0, cut + 1)
  if (!shared.some(({ entry }) => entry.type === 'team.started')) {
    throw new NotForkable(`${name} had not begun at ${at}: start a new run instead`)
  }
  return shared
}

/** @throws NotForkable when the lead has read its task */
function refuseTold(shared: readonly Recorded[], lead: string): void {
  const told = shared.findIndex(({ owner, entry }) => owner === lead && entry.type === 'message.appended')
  if (told < 0) return
  const [last, before] = [shared.at(-1), shared[told - 1]]
  const words = `${lead} had its task by ${last?.entry.id ?? 'then'}`
  throw new NotForkable(`${words}: another one needs --at ${before?.entry.id ?? 'an entry before it'} or earlier`)
}

interface Change {
  readonly run: string
  readonly task: string
  /** How much later it is now than at the cut: what was due then is due so much later. */
  readonly later: number
  readonly seal: Seal
}

/** The same entry as a part of the new run. */
function asOf(entry: Entry, { run, task, later, seal }: Change): Entry {
  switch (entry.type) {
    case 'journal.opened':
      return { ...entry, run }
    case 'team.started':
      return { ...entry, run, task }
    case 'mail.sent':
    case 'mail.received':
      return { ...entry, envelope: seal.sign(entry.envelope) }
    case 'request.opened':
      return entry.deadline === null ? entry : { ...entry, deadline: entry.deadline + later }
    case 'gather.opened':
      return { ...entry, deadline: entry.deadline + later }
    case 'task.claimed':
      return { ...entry, until: entry.until + later }
    default:
      return entry
  }
}

function writeJournal(run: RunDirectory, owner: string, past: readonly Recorded[]): void {
  const lines = past.flatMap((each) => (each.owner === owner ? [`${JSON.stringify(each.entry)}\n`] : []))
  writeFileSync(run.journalFile(owner), lines.join(''), { mode: 0o600, flag: 'wx' })
}

/** Copies mail to the place where it lay at that time: read mail among the read, the rest unread. */
function carryMail({ mail }: RunDirectory, past: readonly Recorded[]): void {
  const sent = past.flatMap(({ entry }) => (entry.type === 'mail.sent' ? [entry.envelope] : []))
  const received = new Set(past.flatMap(({ entry }) => (entry.type === 'mail.received' ? [entry.envelope.id] : [])))
  post(sent, { dir: mail, durability: 'process' })
  for (const envelope of sent) if (received.has(envelope.id)) putAway(mail, envelope)
}

function putAway(mail: string, envelope: Envelope): void {
  const folders = mailFolders(mail, memberName(envelope.to))
  mkdirSync(folders.done, { recursive: true, mode: 0o700 })
  renameSync(join(folders.new, mailFile(envelope)), join(folders.done, mailFile(envelope)))
}

/** Named by their content and never changed: both runs can have the same file. */
function carryArtifacts(dir: string, { artifacts }: RunDirectory): void {
  const from = join(dir, 'artifacts')
  if (!existsSync(from)) return
  mkdirSync(artifacts, { recursive: true, mode: 0o700 })
  for (const name of readdirSync(from)) {
    // An unfinished file belongs to the run that writes it.
    if (!name.startsWith(unfinishedPrefix)) linkSync(join(from, name), join(artifacts, name))
  }
}
