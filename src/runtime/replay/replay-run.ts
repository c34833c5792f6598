import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { readBegunRun, readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { mergeJournals } from '../../projections/fold/merge.ts'
import type { ChartStep } from '../../protocol/words/chart.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { MemberInput } from '../../../machines/member/member.ts'
import { lastFactBy, noMomentText } from './last-fact.ts'
import { leaderLives } from './leader-lives.ts'
import { replayLeader } from './replay-leader.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import { inputOf } from '../agent/compose-agent.ts'
import { journalFile } from '../runs/read-runs.ts'
import type { ReplayedMachines } from './port-questions.ts'
import { replayLife } from './replay-life.ts'
import type { Difference } from './difference.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** The part of a run that is replayed. */
export interface ReplayOptions {
  /** The last entry that is replayed, such as `lead-17`, or a moment, as `lastFactBy` reads it; all when left out. */
  readonly until?: string | undefined
  /** The member that is replayed, or `team` for the team's own machines; all when left out. */
  readonly member?: string | undefined
}

/** A life of a member, or of the leader with the team's own machines, replayed. */
export interface LifeReport {
  /** The member's name, or `team`. */
  readonly member: string
  /** 1 for the first life. */
  readonly life: number
  /** Entries of the journal in this life. */
  readonly entries: number
  readonly transitions: readonly ChartStep[]
  readonly difference: Difference | null
}

export interface RunReplay {
  readonly run: string
  readonly identical: boolean
  readonly lives: readonly LifeReport[]
}

/** A run that cannot be replayed so, and why. */
export class NotReplayable extends UsageError {
  override readonly name = 'NotReplayable'
}

/**
 * Runs the machines of the team and of every member again from the journals of a run: no model is asked, no tool runs, nothing is written.
 * What the machines state is compared with the journal, fact by fact, with all fields but the time.
 *
 * @param dir the run directory
 * @returns for each life of each member the transitions of its machines, and the first fact that differs or null
 * @throws NotReplayable when the run cannot be read, or has no such entry
 * @example (await replayRun(dir)).identical
 */
export function replayRun(dir: string, options: ReplayOptions = {}): Promise<RunReplay> {
  return replayWith({}, dir, options)
}

/** The same with other machines than the ones that run, so that a change can be tried on recorded runs. */
export async function replayWith(
  machines: ReplayedMachines,
  dir: string,
  { until, member }: ReplayOptions = {},
): Promise<RunReplay> {
  const { run, journals, id } = readRun(dir)
  if (!run) throw new NotReplayable(unreadableRun(dir))
  const read = journals.map((owner) => readJournal(journalFile(dir, owner)).entries.map((entry) => ({ owner, entry })))
  const merged = mergeJournals(read)
  const last = until === undefined ? merged.length : lastFactBy(merged, until)
  if (last === null) throw new NotReplayable(noMomentText(id, until ?? ''))
  const past = merged.slice(0, last)
  const team = past.flatMap(({ owner, entry }) => (owner === 'team' ? [entry] : []))
  const cardOf = cardsOf(run.team, readBegunRun(dir)?.team ?? run.team, team)
  const lives: LifeReport[] = []
  const teamOf = teamsOf(run.team, readBegunRun(dir)?.team ?? run.team, team)
  const leaders = member === undefined || member === leaderName ? leaderLives(past, teamOf) : []
  for (const [index, life] of leaders.entries()) {
    const replayed = await replayLeader(life, machines)
    lives.push({ member: leaderName, life: index + 1, entries: life.entries.length, ...replayed })
  }
  for (const { name } of run.team.members) {
    if (member !== undefined && member !== name) continue
    const own = past.flatMap(({ owner, entry }) => (owner === name ? [entry] : []))
    for (const [index, entries] of livesIn(own, beginningsOf(name, team)).entries()) {
      const input = inputFrom(entries, cardOf(name, entries), run.team.name)
      // A life at a time: memory holds the machines of one.
      const replayed = await replayLife(entries, input, machines)
      lives.push({ member: name, life: index + 1, entries: entries.length, ...replayed })
    }
  }
  return { run: id, identical: lives.every(({ difference }) => difference === null), lives }
}

type Card = ResolvedTeam['members'][number]

/**
 * The card of a member in one of its lives. A run keeps the team that it began with and the one that runs now; a life
 * between two changes has the model that it asked.
 */
function cardsOf(now: ResolvedTeam, first: ResolvedTeam, team: readonly Entry[]) {
  const changes = team.flatMap(({ type, at }) => (type === 'team.changed' ? [at] : []))
  const named = ({ members }: ResolvedTeam, name: string): Card | undefined =>
    members.find((member) => member.name === name)
  return (name: string, life: readonly Entry[]): Card => {
    const at = life[0]?.at ?? 0
    const before = changes.filter((changed) => changed <= at).length
    const card = named(before === 0 ? first : now, name) ?? named(now, name)
    if (card === undefined) throw new NotReplayable(`the team has no member ${name}`)
    if (before === 0 || before === changes.length) return card
    return { ...card, model: life.find((entry) => entry.type === 'model.requested')?.model ?? card.model }
  }
}

/** The team as it was at a time: the one that the run began with until it was changed, then the one that runs now. */
function teamsOf(now: ResolvedTeam, first: ResolvedTeam, team: readonly Entry[]): (at: number) => ResolvedTeam {
  const changed = team.find(({ type }) => type === 'team.changed')?.at ?? Infinity
  return (at) => (at < changed ? first : now)
}

/** When the leader began to start a life of this member. */
function beginningsOf(member: string, team: readonly Entry[]): readonly number[] {
  return team.flatMap((entry) => {
    const begins = entry.type === 'team.resumed' || (entry.type === 'member.spawned' && entry.member === member)
    return begins ? [entry.at] : []
  })
}

/**
 * The lives in a journal, each from its `member.started`. What the next life did before it said so, to take up the work, is
 * done by no machine and belongs to neither.
 */
function livesIn(entries: readonly Entry[], beginnings: readonly number[]): readonly (readonly Entry[])[] {
  const starts = entries.flatMap(({ type }, index) => (type === 'member.started' ? [index] : []))
  return starts.map((start, n) => {
    const life = entries.slice(start, starts[n + 1])
    const next = entries[starts[n + 1] ?? entries.length]
    return next === undefined
      ? life
      : life.slice(
          0,
          endOfLife(
            life,
            beginnings.findLast((at) => at <= next.at),
          ),
        )
  })
}

/** The index at which the next life begins to take up the work: it was begun then, or has another clock. */
function endOfLife(life: readonly Entry[], begun: number | undefined): number {
  let end = life.length
  for (let index = life.length - 1; index > 0 && takesUp.has(life[index]?.type ?? ''); index -= 1) {
    const [before, entry] = [life[index - 1]?.at ?? 0, life[index]?.at ?? 0]
    const isLater = begun !== undefined && begun > (life[0]?.at ?? 0) && entry >= begun
    if (isLater || entry < before) end = index
  }
  return end
}

/** Facts that a life states, or notes, before its `member.started`. */
const takesUp: ReadonlySet<string> = new Set([
  'call.started',
  'call.refused',
  'call.limited',
  'call.reused',
  'call.retried',
  'call.finished',
  'permission.requested',
  'permission.decided',
  'message.appended',
  'member.replied',
  'member.renewed',
  'verify.settled',
  'files.changed',
  'hook.ran',
  'mail.sent',
  'mail.received',
  'mail.died',
  'mail.handled',
  'todos.changed',
  'warning.raised',
  'event.dropped',
  'mcp.changed',
])

function inputFrom(entries: readonly Entry[], card: Card, team: string): MemberInput {
  const [started] = entries
  if (started?.type !== 'member.started') throw new NotReplayable('a life begins with member.started')
  const { incarnation, executor, pid, policy, prompt } = started
  return {
    id: agentId(card.name, team),
    name: card.name,
    model: card.model,
    ...inputOf(card),
    hooked: entries.some(isOfHooks),
    incarnation,
    executor,
    pid,
    ...(policy === undefined ? {} : { policy }),
    ...(prompt === undefined ? {} : { prompt }),
  }
}

/** The fact tells that the member had hooks. */
function isOfHooks(entry: Entry): boolean {
  if (entry.type === 'turn.continued') return entry.reason === 'stop_hook_blocking'
  if (entry.type === 'agent.ended') return entry.reason === 'stop_hook_prevented'
  return (
    entry.type === 'hook.ran' || (entry.type === 'call.refused' && (entry.why === 'hook' || entry.why === 'middleware'))
  )
}
