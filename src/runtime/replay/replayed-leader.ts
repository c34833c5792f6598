import type { Actor, AnyActorLogic, AnyActorRef, EventObject, InspectionEvent } from 'xstate'
import type { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import type { taskMachine, TaskInput } from '../../../machines/task/task.ts'
import { isUp } from '../../../machines/team/lives.ts'
import type { teamMachine, TeamEvent } from '../../../machines/team/team.ts'
import { into } from '../../projections/fold/fold.ts'
import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { lifeAskIn } from '../../protocol/work/life-ask.ts'
import { broadcast, type Broadcast } from '../actors/broadcast.ts'
import type { Clock } from '../actors/clock.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import { openBudgets } from '../budget/budgets.ts'
import { teamFold } from '../journals/team-journal.ts'
import { openBoard } from '../tasks/open-board.ts'
import { losses } from '../tasks/start-board.ts'
import { coordinatorInput } from '../team/coordination.ts'
import { teamInput } from '../team/provide-team.ts'
import { resumeLeader } from '../team/resume-leader.ts'
import { answersToStops } from '../team/stops.ts'
import { deadResults, endOfRequest, routeFact, type FactListeners } from '../team/team-routes.ts'
import { askingTeam, openPorts, type PortQuestion, type ReplayedMachines } from './port-questions.ts'

/** A root actor of the team that is replayed. */
export interface ReplayedRoot {
  readonly actor: Actor<AnyActorLogic>
  readonly questions: ReadonlySet<PortQuestion>
  /** Events that the actor has put off, with the act that lets one come now. */
  timers(): readonly { readonly event: EventObject; fire(): void }[]
}

/** The machines of a leader that are replayed, wired as they are in a leader's process. */
export interface ReplayedLeader {
  readonly team: Actor<typeof teamMachine>
  readonly coordinator: Actor<typeof coordinatorMachine>
  root(id: string): ReplayedRoot | undefined
  /** Tells the machines that the run begins, or goes on. */
  begin(): void
  /** Tells the machines of what was recorded at once. */
  publish(recorded: readonly Recorded[]): void
  /** Has the board take the asks that lie in the leader's mailbox. @returns false when there are none */
  takeAsks(): boolean
}

/** The sources of a leader's replay. */
export interface LeaderParts {
  readonly team: ResolvedTeam
  /** The past before its life, as the leader had read it. */
  readonly earlier: readonly Recorded[]
  /** The entries of the team's journal in its life. */
  readonly entries: readonly Entry[]
  readonly machines: ReplayedMachines
  /** The time of the fact at hand. */
  now(): number
  record(facts: readonly Fact[]): void
  crashed(error: unknown): void
  watch(inspection: InspectionEvent): void
}

/** Starts the machines in the order in which a leader starts them. */
export function replayedLeader(parts: LeaderParts): ReplayedLeader {
  const { team, earlier, machines, now, entries } = parts
  const at = now()
  const facts = broadcast<Recorded>()
  const { roots, spawn } = rootsOf(parts)
  const asking = askingTeam(machines)
  const past = resumeLeader(earlier, team, at)
  const budgets = openBudgets({ team, now: () => at, earlier })
  const coordinator = spawn('coordinator', asking.coordinator, coordinatorInput({ team, budgets }, past.coordinator))
  const desk = deskOf(parts, facts, (input) => spawn<typeof taskMachine>(`task-${input.task}`, asking.task, input))
  const nesting = { limit: deepest(entries), depth: 0, outermost: null, within: null }
  const actor = spawn('team', asking.team, teamInput({ team, clock: { now: () => at }, nesting }, past))
  const deafen = listen(parts, facts, { team: actor, coordinator })
  whenOver(actor, () => {
    deafen()
    desk.close()
    tell(coordinator, { type: 'end', at: now() })
  })
  return {
    team: actor,
    coordinator,
    root: (id) => roots.get(id),
    begin() {
      tell(actor, { type: 'start', at })
      if (past.started === null) return
      tell(coordinator, { type: 'run.resumed', untold: past.untold, unstated: past.unstated, at })
      for (const event of past.unheard) tell(coordinator, event)
    },
    publish(recorded) {
      recorded.forEach(desk.hear)
      recorded.forEach(facts.publish)
    },
    takeAsks: desk.takeAsks,
  }
}

/** Starts root actors whose ports ask the replay, and keeps them by their names. */
function rootsOf({ now, record, crashed, watch }: LeaderParts) {
  const roots = new Map<string, ReplayedRoot>()
  function spawn<Logic extends AnyActorLogic>(id: string, logic: Logic, input: unknown): Actor<Logic> {
    const clock = standingClock(now)
    let questions: ReadonlySet<PortQuestion> = new Set()
    const bind = (root: AnyActorRef): void => void (questions = openPorts(root))
    const actor = spawnRoot<Logic>(logic, input, { id, clock, record, crashed, watch, bind })
    roots.set(id, { actor, questions, timers: () => clock.timersOf(actor) })
    return actor
  }
  return { roots, spawn }
}

/** The task board with the mail that came for it; the team's journal as far as it was passed. */
function deskOf(
  { team, earlier, now, record, crashed }: LeaderParts,
  facts: Broadcast<Recorded>,
  spawn: (input: TaskInput) => Actor<typeof taskMachine>,
) {
  const past = teamFold.empty()
  const fold = ({ owner, entry }: Recorded): void => {
    if (owner === leaderName) teamFold.apply(past, entry)
  }
  earlier.forEach(fold)
  const box: Envelope[] = []
  const acts = { facts, record, crashed, past, spawn, clock: { now } }
  const board = team.tasks
    ? openBoard({ ...acts, policy: team.tasks, receive: () => box.splice(0), publish: () => undefined })
    : null
  if (board) facts.subscribe(losses(board))
  return {
    hear(recorded: Recorded): void {
      const { owner, entry } = recorded
      fold(recorded)
      const isAsk = owner === leaderName && entry.type === 'mail.received' && lifeAskIn(entry.envelope) === null
      if (isAsk) box.push(entry.envelope)
    },
    takeAsks(): boolean {
      if (board === null || box.length === 0) return false
      board.rung()
      return true
    },
    close: () => board?.close(),
  }
}

/** Carries what is recorded to the machines, as a leader does. @returns ends that */
function listen(
  { team, earlier }: LeaderParts,
  facts: Broadcast<Recorded>,
  machines: Pick<ReplayedLeader, 'team' | 'coordinator'>,
): () => void {
  const tellTeam = (event: TeamEvent): void => tell(machines.team, event)
  const spawnGate = () => machines.team.getSnapshot().context
  const listeners: FactListeners = {
    lead: team.coordinator,
    team: tellTeam,
    isUp(member) {
      const life = spawnGate().lives[member]
      return life !== undefined && isUp(life)
    },
    coordinator: (event) => tell(machines.coordinator, event),
    briefLead: () => undefined,
  }
  const deafen = facts.subscribe(into(routeFact, listeners))
  facts.subscribe(answersToStops({ tellTeam, spawnGate }))
  facts.subscribe(
    deadResults(earlier, (dead) => {
      const end = endOfRequest(dead)
      if (end) listeners.coordinator(end)
    }),
  )
  return deafen
}

/** How far from the coordinator members may be started: the journal tells that only where the limit was met. */
function deepest(entries: readonly Entry[]): number {
  for (const entry of entries) {
    if (entry.type !== 'member.refused' || entry.limit !== 'depth') continue
    const allowed = /, (\d+) are allowed/.exec(entry.reason)?.[1]
    if (allowed !== undefined) return Number(allowed)
  }
  return Infinity
}

/** A clock that stands: what was put off comes when it is let. */
function standingClock(now: () => number) {
  const waiting = new Map<number, () => void>()
  let last = 0
  const clock: Clock = {
    now,
    mint: () => '',
    setTimeout(fn) {
      last += 1
      waiting.set(last, fn)
      return last
    },
    clearTimeout: (id) => void waiting.delete(id as number),
  }
  return {
    ...clock,
    /** XState keeps the put-off events of a root in the order in which it sets their timers. */
    timersOf(actor: AnyActorRef) {
      const { _scheduledEvents: scheduled } = actor.system.getSnapshot()
      const timers = [...waiting]
      return Object.values(scheduled).flatMap(({ event }, index) => {
        const [id, fn] = timers[index] ?? []
        if (id === undefined || fn === undefined) return []
        const fire = (): void => {
          waiting.delete(id)
          fn()
        }
        return [{ event, fire }]
      })
    },
  }
}
