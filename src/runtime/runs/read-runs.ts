import { existsSync, readdirSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { findEntry } from '../../adapters/sessions/find-entry.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { listRuns, readRun, type RunReading } from '../../adapters/sessions/read-run.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { RunStatus } from '../../protocol/facts/fact.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { MemberFile, MemberState } from '../../protocol/team/run.ts'
import { isDead, leadingPid, livingLeader } from './leader.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { stopOf } from './stop-file.ts'
import { waitingForYou } from './waiting-for-you.ts'
import { ownPlace } from '../actors/own-place.ts'

/** A run as `ps` lists it. `interrupted`: its leader is gone and it never said how it ended. */
export interface RunSummary {
  readonly id: string
  readonly dir: string
  readonly team: string
  readonly state: 'running' | 'interrupted' | RunStatus
  /** True for a run that has no leader, has not ended and was not stopped: `troupe resume` leads it on. */
  readonly stale: boolean
  /** The process that leads it; null when nobody does. */
  readonly pid: number | null
  readonly task: string | null
  /** Milliseconds since the epoch. */
  readonly created: number | null
  readonly members: readonly MemberSummary[]
  readonly problems: readonly string[]
}

export interface MemberSummary {
  readonly name: string
  readonly state: MemberState | 'not_started'
  /** True while the member's process runs, or may run elsewhere. */
  readonly alive: boolean
  /** Of its process while it is alive. */
  readonly pid: number | null
  /** Messages that lie in its mailbox now. */
  readonly unread: number
  /** Tool calls of it that wait for somebody to allow or deny them. */
  readonly waits_for_you: number
}

/** All entries of a run's journals, and the places that could not be read. */
export interface RunRecord {
  readonly id: string
  readonly dir: string
  readonly recorded: readonly Recorded[]
  readonly problems: readonly string[]
}

/** Where the runs of a working directory lie. */
export function runsRoot(cwd: string): string {
  return join(cwd, '.troupe', 'runs')
}

/**
 * The runs of a working directory, the newest first; a half-written run directory is listed with its problems.
 *
 * @param cwd default: the process's directory
 * @example listRuns('/home/me/project').filter(({ stale }) => stale)
 */
export function summariseRuns(cwd = ownPlace.cwd): readonly RunSummary[] {
  return listRuns(runsRoot(cwd)).map(({ dir, team }) => summarise(readRun(dir), team))
}

/** The runs of a working directory that somebody leads now, the newest first. */
export function runsLedNow(cwd: string): readonly RunSummary[] {
  return listRuns(runsRoot(cwd))
    .filter(({ dir }) => livingLeader(dir) !== null)
    .map(({ dir, team }) => summarise(readRun(dir), team))
    .filter(({ state }) => state === 'running')
}

/**
 * Finds a run by its directory, its id or the beginning of it, or a team's name (that team's latest run);
 * without a name the latest of all. Null when there is none.
 *
 * @param cwd the working directory of the team
 * @example findRun('/home/me/project', 'review') // '/home/me/project/.troupe/runs/review-01J…'
 */
export function findRun(cwd: string, name?: string): string | null {
  const runs = listRuns(runsRoot(cwd))
  if (name === undefined) return runs[0]?.dir ?? null
  const found = runs.find(({ id }) => id === name) ?? runs.find(({ id, team }) => team === name || id.startsWith(name))
  if (found) return found.dir
  const dir = resolve(cwd, name)
  return existsSync(join(dir, 'journal')) ? dir : null
}

/** The names of teams that have runs here. */
export function teamsWithRuns(cwd: string): readonly string[] {
  return listRuns(runsRoot(cwd)).map(({ team }) => team)
}

/** The name that a mistyped one most likely meant. */
export function guessName(name: string, known: readonly string[]): string | undefined {
  return didYouMean(name, known)
}

/**
 * Reads all journals of a run, in one order. Nothing is thrown for what they hold.
 *
 * @param dir the run directory
 * @example recordOfRun(dir).recorded.filter(({ entry }) => entry.type === 'mail.sent').length
 */
export function recordOfRun(dir: string): RunRecord {
  const { id, journals, problems } = readRun(dir)
  const read = journals.map((owner) => ({ owner, ...readJournal(journalFile(dir, owner)) }))
  return {
    id,
    dir,
    recorded: mergeJournals(read.map(({ owner, entries }) => entries.map((entry) => ({ owner, entry })))),
    problems: [
      ...problems.map(({ file, message }) => `${file} ${message}`),
      ...read.flatMap(({ problems: bad }) => bad.map(({ file, line, message }) => `${file}:${line} ${message}`)),
    ],
  }
}

export function journalFile(dir: string, owner: string): string {
  return join(dir, 'journal', `${owner}.jsonl`)
}

function summarise({ id, dir, run, members, problems }: RunReading, team: string): RunSummary {
  const names = run?.team.members.map(({ name }) => name) ?? []
  const started = new Map(members.map((member) => [member.id.slice(0, member.id.indexOf('@')), member]))
  const end = endOf(dir)
  const pid = end === null ? leadingPid(dir, run) : null
  const waiting = waitingForYou(dir)
  return {
    id,
    dir,
    team,
    state: end ?? (pid === null ? 'interrupted' : 'running'),
    stale: end === null && pid === null && run !== null && stopOf(dir) === null,
    pid,
    task: run?.task ?? null,
    created: run?.created ?? null,
    members: [...new Set([...names, ...started.keys()])].map((name) => ({
      name,
      ...lifeIn(dir, started.get(name)),
      unread: unreadOf(dir, name),
      waits_for_you: waiting.get(name) ?? 0,
    })),
    problems: problems.map(({ file, message }) => `${basename(file)} ${message}`),
  }
}

function lifeIn(dir: string, member: MemberFile | undefined): Pick<MemberSummary, 'state' | 'alive' | 'pid'> {
  if (!member) return { state: 'not_started', alive: false, pid: null }
  const alive = member.state !== 'gone' && !isDead(dir, member)
  return { state: member.state, alive, pid: alive ? member.pid : null }
}

/** How a run has ended; null while it has not. */
export function endOf(dir: string): RunStatus | null {
  return lastEnd(dir)?.status ?? null
}

/** When a run has ended; null while it has not. */
export function endedAt(dir: string): number | null {
  return lastEnd(dir)?.at ?? null
}

function lastEnd(dir: string): EntryOf<'team.ended'> | null {
  const last = findEntry(journalFile(dir, leaderName), '"type":"team.', (entry) =>
    entry.type === 'team.ended' || entry.type === 'team.reopened' ? entry : undefined,
  )
  return last?.type === 'team.ended' ? last : null
}

/** Messages that lie in a mailbox now. */
export function unreadOf(dir: string, name: string): number {
  try {
    return readdirSync(join(dir, 'mail', name, 'new')).filter((file) => file.endsWith('.json')).length
  } catch {
    // No mailbox yet: a member that nobody wrote to has none.
    return 0
  }
}
