import { setImmediate as breath } from 'node:timers/promises'
import { mergeJournals } from '../../projections/fold/merge.ts'
import type { Entry, Heard, Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ChartStep } from '../../protocol/words/chart.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { handOutKey } from '../../rules/team/delegation-plan.ts'
import { differing, type Difference } from './difference.ts'
import { comingOf, insteadOf, leaderMove } from './infer-leader.ts'
import type { ReplayedMachines } from './port-questions.ts'
import { stepsIn, type ReplayedLife } from './replay-life.ts'
import { replayedLeader, type ReplayedLeader } from './replayed-leader.ts'
import { openTape, type Tape } from './tape.ts'
import { teamOrigins } from './team-origins.ts'

/** One life of a leader, as the journals of its run have it. */
export interface LeaderLife {
  readonly team: ResolvedTeam
  /** The entries of the team's journal in this life. */
  readonly entries: readonly Entry[]
  /** The past that the leader had read when the life began. */
  readonly earlier: readonly Recorded[]
  /** Entries of the members since then, by name. */
  readonly members: ReadonlyMap<string, readonly Recorded[]>
}

/** How many moves may follow each other without a fact. */
const patience = 100

/**
 * Runs the team's own machines of one life of its leader again: the team's, the coordinator's and those of the tasks. They hear
 * the journals in the order in which the leader heard them; their ports are answered as the facts that follow show.
 */
export async function replayLeader(life: LeaderLife, machines: ReplayedMachines = {}): Promise<ReplayedLife> {
  const replay = beginLife(life, machines)
  const { tape, entries } = replay
  let idle = 0
  while (replay.difference === null && tape.passed() < entries.length) {
    const before = tape.passed()
    if (idle > patience || !(await goOn(replay))) {
      replay.difference ??= differing(tape.next(), insteadOf(replay.leader, tape))
      break
    }
    idle = tape.passed() === before ? idle + 1 : 0
  }
  const { leader, transitions, difference } = replay
  for (const id of ['team', 'coordinator']) leader.root(id)?.actor.stop()
  return { transitions, difference }
}

/** A life that is being replayed. */
interface Replay {
  readonly lead: string
  readonly entries: readonly Entry[]
  readonly tape: Tape
  readonly leader: ReplayedLeader
  readonly hearing: ReturnType<typeof hearer>
  readonly transitions: ChartStep[]
  difference: Difference | null
  /** Tells the machines of the facts that were passed from there on. */
  tellFrom(start: number): void
}

function beginLife({ team, entries, earlier, members }: LeaderLife, machines: ReplayedMachines): Replay {
  const tape = openTape(entries, teamOrigins(entries, bookedIn(earlier)))
  // Words before the machines are started are heard by none.
  while (tape.passed() < entries.length && tape.next() !== entries[tape.passed()]) tape.skip()
  const early: Recorded[] = []
  const begun: { leader: ReplayedLeader | null } = { leader: null }
  const hearing = hearer(members)
  const transitions: ChartStep[] = []
  const life = {
    lead: team.coordinator,
    entries,
    tape,
    hearing,
    transitions,
    difference: null as Difference | null,
    tellFrom(start: number): void {
      const told = entries.slice(start, tape.passed()).map((entry) => ({ owner: leaderName, entry }))
      for (const { entry } of told) hearing.note(entry.heard)
      if (begun.leader === null) early.push(...told)
      else begun.leader.publish(told)
    },
  }
  const leader = replayedLeader({
    team,
    earlier,
    entries,
    machines,
    now: () => (entries[tape.passed()] ?? entries.at(-1))?.at ?? 0,
    watch: (inspection) => void transitions.push(...stepsIn(inspection, tape.next())),
    record: (facts) => compare(life, facts),
    crashed: (error) => void (life.difference ??= crashedAt(tape, error)),
  })
  begun.leader = leader
  leader.publish(early)
  leader.begin()
  return Object.assign(life, { leader })
}

/** Compares what a machine stated with what was recorded. */
function compare(life: Omit<Replay, 'leader'>, facts: readonly Fact[]): void {
  if (life.difference !== null) return
  const start = life.tape.passed()
  life.difference = life.tape.take(facts)
  life.tellFrom(start)
}

function crashedAt(tape: Tape, error: unknown): Difference {
  return { ...tape.stuck(), field: `a machine of the team crashed: ${errorText(error)}` }
}

/** Comes a step nearer to the next fact. @returns false when nothing leads there */
async function goOn(replay: Replay): Promise<boolean> {
  const { entries, tape, leader, hearing, lead } = replay
  const before = tape.passed()
  const entry = entries[before]
  if (entry?.type !== 'mail.received' && leader.takeAsks()) {
    await breath()
    return true
  }
  for (const recorded of hearing.upTo(entry?.heard)) {
    if (isToldToLeave(recorded, lead, comingOf(tape, 'team', 1)[0])) await tellToLeave(leader, tape, recorded.owner)
    leader.publish([recorded])
    if (answerAtOnce(leader, recorded, lead)) await breath()
  }
  if (tape.passed() > before || replay.difference !== null) return true
  if (entry !== tape.next()) {
    tape.skip()
    replay.tellFrom(before)
    return true
  }
  const move = leaderMove(leader, tape)
  if (move === null) return false
  move()
  await breath()
  return true
}

function bookedIn(earlier: readonly Recorded[]): ReadonlySet<string> {
  return new Set(
    earlier.flatMap(({ entry }) =>
      entry.type === 'request.held' || entry.type === 'request.opened' ? [entry.request] : [],
    ),
  )
}

/** Hands out what members have journaled, as far as the leader had heard it. */
function hearer(members: LeaderLife['members']) {
  const at = new Map<string, number>()
  const due = new Map<string, number>()
  const note = (heard: Heard = {}): void => {
    for (const [owner, seq] of Object.entries(heard)) due.set(owner, seq)
  }
  return {
    note,
    upTo(heard: Heard | undefined): readonly Recorded[] {
      note(heard)
      const news = [...due].map(([owner, seq]) => {
        const own = members.get(owner) ?? []
        const from = at.get(owner) ?? 0
        let to = from
        while ((own[to]?.entry.seq ?? Infinity) <= seq) to += 1
        at.set(owner, to)
        return own.slice(from, to)
      })
      due.clear()
      return mergeJournals(news)
    },
  }
}

/** A member does this because it was told to leave: the team came to that first, for the fact that is next. */
function isToldToLeave({ owner, entry }: Recorded, lead: string, next: Entry | undefined): boolean {
  const isOfEnd = next?.type === 'team.ended'
  if (entry.type === 'member.drained') return isOfEnd || (next?.type === 'member.stopped' && next.member === owner)
  const isCutOff = entry.type === 'agent.ended' && owner === lead && entry.reason.startsWith('aborted_')
  return isCutOff && isOfEnd && (next.status === 'aborted' || next.status === 'budget')
}

async function tellToLeave(leader: ReplayedLeader, tape: Tape, member: string): Promise<void> {
  const isTold = (): boolean =>
    [...(leader.root('team')?.questions ?? [])].some(
      (question) => question.name === 'terminateMember' && question.input.member === member,
    )
  for (let moves = 0; moves < patience && !isTold(); moves += 1) {
    const move = leaderMove(leader, tape, 'team')
    if (move === null) return
    move()
    await breath()
  }
}

/**
 * Answers of ports that a member's journal shows: a member has started, a task was sent that is out of date.
 * @returns true when a port was answered
 */
function answerAtOnce(leader: ReplayedLeader, { owner, entry }: Recorded, lead: string): boolean {
  if (entry.type === 'member.started') {
    for (const question of leader.root('team')?.questions ?? []) {
      if (question.name !== 'spawnMember' || question.input.member !== owner) continue
      question.answer()
      return true
    }
  }
  if (entry.type !== 'mail.sent' || owner !== lead || entry.envelope.kind !== 'task') return false
  const { book } = leader.coordinator.getSnapshot().context
  for (const question of leader.root('coordinator')?.questions ?? []) {
    if (question.name !== 'handOut') continue
    const { request, attempt } = question.input
    if (entry.envelope.key !== handOutKey(request, attempt) || book[request]?.attempt === attempt) continue
    question.answer({ mail_id: entry.envelope.id })
    return true
  }
  return false
}
