import { fromPromise, type Actor } from 'xstate'
import { isUp } from '../../../machines/team/lives.ts'
import type { SpawnGate } from '../../../machines/team/spawn-gate.ts'
import { teamMachine, type TeamEvent, type TeamOutput } from '../../../machines/team/team.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { into } from '../../projections/fold/fold.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { userMessage } from '../../protocol/conversation/message.ts'
import type { CollectOutput, NudgeInput, SpawnInput, Survey, TerminateInput } from '../../protocol/port.ts'
import { supervisionPolicy } from '../../protocol/team/supervision.ts'
import { nudgeText } from '../../../machines/team/quiet.ts'
import { becomeLeader } from './become-leader.ts'
import { startCoordination } from './coordination.ts'
import { openElsewhere } from '../elsewhere/elsewhere.ts'
import { haltingLedger, haltingOnDisk, openHalt, type Halt } from '../journals/halt.ts'
import type { Ledger } from '../journals/ledger.ts'
import type { TeamPast } from '../journals/team-journal.ts'
import {
  deadResults,
  deadResultText,
  endOfRequest,
  routeFact,
  type DeadResult,
  type FactListeners,
} from './team-routes.ts'
import { memberExecutors, livesHere, comingMember, livingMember, type Leader } from './leader.ts'
import { lookAt } from '../runs/place-members.ts'
import { memberTrees, type TreeTelling } from '../elsewhere/member-trees.ts'
import { reportSettings } from '../settings/open-settings.ts'
import { spawnRoot, tell, whenOver } from '../actors/spawn.ts'
import { leadAnswer } from './lead-answer.ts'
import { patiently, surveyor } from './survey.ts'
import type { LocalMember } from '../member/start-member.ts'
import { followStops, obey, stopAsWished } from './stops.ts'
import { serversAndHooks } from './watch-hooks.ts'
import { openDesk } from '../tasks/start-board.ts'
import { catchUp, resumeLeader, type LeaderResumption } from './resume-leader.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import { leaderWatches } from './leader-watches.ts'
import { attachmentsOfTask } from '../../adapters/sessions/attachments.ts'
import type { Clock } from '../actors/clock.ts'
import type { RunContext } from '../context/run-context.ts'

/** A team that has been started. */
export interface RunningTeam {
  abort(): void
  /** Stops the team where it is, as a kill would, and leaves nothing running: its run can be led on. */
  interrupt(): void
  readonly ended: Promise<TeamEnding>
}

/** The end of a team, or of the part of its run that this process led. */
export type TeamEnding = TeamOutput | Interrupted

const interrupted = { status: 'interrupted', reason: 'interrupted', result: null, afterwards: [] } as const
type Interrupted = typeof interrupted

/**
 * The composition root of a team in its leader's process: team and coordinator machines as root actors, the
 * executor for the members, and the routes between them. It holds the wires and decides nothing. What goes wrong with it
 * stops the run where it is.
 */
export function startTeam(context: RunContext, { task, swept }: Start): RunningTeam {
  const ended = Promise.withResolvers<TeamEnding>()
  const halt = openHalt(ended.reject)
  const opened = becomeLeader(context)
  halt.onHalt(opened.ledger.close)
  try {
    return { ...setUp({ ...opened, context, task, swept, halt }, ended), ended: ended.promise }
  } catch (error) {
    halt.halt(error)
    return { abort: () => undefined, interrupt: () => undefined, ended: ended.promise }
  }
}

/** The parts with which a team is started. */
interface Start {
  readonly task: string
  /** Notes on the removal of remains of earlier runs. */
  readonly swept: readonly string[]
}

interface Beginning extends Start {
  readonly context: RunContext
  readonly ledger: Ledger
  /** The past, as the team's journal tells it. */
  readonly past: TeamPast
  readonly halt: Halt
}

function setUp(
  { context, task, swept, ledger, past: journaled, halt }: Beginning,
  ended: PromiseWithResolvers<TeamEnding>,
): Omit<RunningTeam, 'ended'> {
  const { team, clock } = context
  const past = resumeLeader(context.earlier.recorded, team, clock.now())
  ledger.record([...firstWords(context, past, task), ...swept.map(leftover)])
  const actorParts = { clock, record: ledger.record, crashed: halt.halt }
  const members: Leader['members'] = new Map()
  const lead = (): Promise<LocalMember> => comingMember({ members, context }, team.coordinator)
  const coordination = startCoordination(context, { ...actorParts, lead, earlier: past.coordinator })
  const tellTeam = (event: TeamEvent): void => tell(actor, event)
  const stop: Leader['stop'] = (wish) => stopAsWished(leader, wish)
  const desk = openDesk(context, journaled, { ...actorParts, obey: (ask) => obey(leader, ask) })
  const said = haltingLedger(ledger, halt)
  const tools = { toolSets: turnToolSets(() => null, context.tools), ...serversAndHooks(context, said.record) }
  const trees = treesOf(context, { record: said.record, watch: tools.hooks })
  const spawnGate = (): SpawnGate => actor.getSnapshot().context
  const depth = (member: string): number => spawnGate().lives[member]?.depth ?? 1
  const elsewhere = team.members.some(({ executor }) => executor !== 'in-process')
    ? openElsewhere(context, { tellTeam, record: said.record, trees, halt: halt.halt, depth })
    : null
  const acts = { ledger: said, halt: halt.halt, tellTeam, spawnGate, stop, stopping: new Map() }
  const leader: Leader = { context, members, elsewhere, trees, coordination, ...desk, ...acts, ...tools }
  const actor = spawnRoot(provideTeam(leader, { task, prompted: past.prompted }), teamInput(context, past), {
    ...actorParts,
    id: 'team',
  })
  halt.onHalt(() => {
    dropAll(leader)
    actor.stop()
  })
  listen(leader, { actor, halt, ended })
  tellTeam({ type: 'start', at: clock.now() })
  if (past.started !== null) catchUp(leader, past, clock.now())
  return {
    abort: () => tellTeam({ type: 'abort', at: clock.now() }),
    // Resolved before it is halted, which would reject.
    interrupt: () => ended.resolve(Promise.resolve(leader).then(cutOff)),
  }
}

/** Null where no member has a working tree of its own. */
function treesOf(context: RunContext, telling: TreeTelling): Leader['trees'] {
  const isolated = context.team.members.filter(({ isolation }) => isolation === 'worktree')
  return isolated.length > 0 ? memberTrees(context, isolated, telling) : null
}

/** Resolves when nothing of the team runs any more. */
async function cutOff({ members, elsewhere, broker, halt }: Leader): Promise<Interrupted> {
  const here = [...members.values()].map(({ gone }) => gone)
  halt(null)
  await Promise.all([elsewhere?.halt(), broker?.close(), ...here])
  return interrupted
}

interface Ending extends Pick<Beginning, 'halt'> {
  readonly actor: Actor<ReturnType<typeof provideTeam>>
  readonly ended: PromiseWithResolvers<TeamEnding>
}

/** Subscribes the leader to all news of a running team, until the team has ended or is halted. */
function listen(leader: Leader, { actor, halt, ended }: Ending): void {
  const { context, ledger, board, box, coordination, tellTeam } = leader
  const { facts, clock } = context
  const listeners = hearersOf(leader)
  const deafen = facts.subscribe(into(routeFact, listeners))
  facts.subscribe(followStops(leader))
  facts.subscribe(deadResults(context.earlier.recorded, (dead) => escalate(leader, dead)))
  const unreport = context.settings ? reportSettings(context.settings, ledger.record) : () => undefined
  whenOver(actor, () => {
    for (const end of [deafen, unreport, () => board?.close(), box.close]) end()
    coordination.send({ type: 'end', at: clock.now() })
    void closed(leader).finally(() => ended.resolve(actor.getSnapshot().output as TeamOutput))
  })
  const watches = leaderWatches(context, ledger, tellTeam)
  const quieten = (): void => watches.splice(0).forEach((end) => end())
  void ended.promise.then(quieten, quieten)
  halt.onHalt(deafen, unreport, quieten)
}

/** Drops the members of this process at once; those elsewhere go on as when their leader dies. */
function dropAll({ context: { clock }, members, board, box, broker, hooks, coordination, elsewhere }: Leader): void {
  for (const member of members.values()) member.drop()
  board?.close()
  box.close()
  coordination.send({ type: 'end', at: clock.now() })
  elsewhere?.leave()
  void broker?.close()
  hooks?.drop()
}

/** The leader's first facts: the run begins, or goes on. */
function firstWords(
  { team, run, chosen }: Pick<RunContext, 'team' | 'run' | 'chosen'>,
  { started }: LeaderResumption,
  task: string,
): readonly Fact[] {
  if (started !== null) return [{ type: 'team.resumed', pid: ownProcess().pid }]
  return [
    { type: 'team.started', run: run.id, team: team.name, hash: team.hash, task },
    ...chosen.map((choice) => ({ ...choice, look: lookAt(choice.executor, run.id) })),
  ]
}

/** Runs that were killed leave nothing behind for longer than until the next one begins. */
const leftover = (message: string): Fact => ({ type: 'warning.raised', code: 'orphans', message })

/** The coordinator hears of a result that will never come: as the end of its request, and in words. */
function escalate({ context, members, coordination }: Leader, dead: DeadResult): void {
  const lead = members.get(context.team.coordinator)
  const end = endOfRequest(dead)
  // Of a task the coordinator tells the lead itself, unless it hands it out once more.
  if (!end || dead.envelope.kind !== 'task')
    lead?.record([{ type: 'message.appended', message: userMessage(deadResultText(dead), 'runtime') }])
  if (end) coordination.send(end)
  lead?.wake()
}

/**
 * A member that has said good-bye may still be ending its commands: its working tree is closed, and the leader's
 * process may end, only after that.
 */
async function closed({ members, elsewhere, trees, broker, hooks, ledger }: Leader): Promise<void> {
  try {
    await Promise.all([...members.values()].map(({ gone }) => gone))
    await elsewhere?.close()
    await broker?.close()
    await trees?.close()
    await hooks?.close()
  } finally {
    hooks?.drop()
    ledger.close()
  }
}

/** The input of the team's machine. */
export function teamInput(
  { team, clock, nesting }: Pick<RunContext, 'team' | 'nesting'> & { clock: Pick<Clock, 'now'> },
  { started, team: earlier }: LeaderResumption,
) {
  const { minutes, agents } = team.budget
  const { supervision = supervisionPolicy() } = team
  return {
    members: team.members.map(({ name, restart }) => ({ name, restart })),
    coordinator: team.coordinator,
    bounds: { ...team.limits, agents, depth: nesting.limit - nesting.depth },
    intensity: { max: supervision.restarts, within_ms: supervision.within_ms },
    // Counted from the first start, however often the run is led on.
    deadline: minutes === undefined ? null : (started ?? clock.now()) + minutes * 60_000,
    ...(earlier ? { earlier } : {}),
  }
}

function provideTeam(leader: Leader, { task, prompted }: { task: string; prompted: boolean }) {
  const { team, run } = leader.context
  let isPrompted = prompted
  const executorOf = memberExecutors(leader)
  const opening = new Map<string, Promise<void>>()
  const answer = leadAnswer(leader.context)
  const lead = (): LocalMember => livingMember(leader, team.coordinator)
  const spawn = async ({ member, attempt, fresh = false, restarted = false }: SpawnInput): Promise<void> => {
    await haltingOnDisk(leader, async () => {
      const trees = livesHere(leader, member) ? leader.trees : null
      const opened = trees?.open(member, attempt) ?? Promise.resolve()
      opening.set(member, opened)
      await opened
      await executorOf(member).spawn({ member, attempt, runDir: run.dir, fresh, restarted })
    })
    if (member !== team.coordinator || isPrompted) return
    lead().prompt(userMessage(task, 'person', attachmentsOfTask(run.dir)))
    isPrompted = true
  }
  const survey = patiently(surveyor(leader), { clock: leader.context.clock, ledger: leader.ledger })
  return teamMachine.provide({
    actors: {
      spawnMember: fromPromise<void, SpawnInput>(({ input }) => spawn(input)),
      terminateMember: fromPromise<void, TerminateInput>(async ({ input: { member, reason, cut } }) => {
        // One that is about to begin is told to leave when it has begun: no other word would reach it.
        await opening.get(member)?.catch(() => undefined)
        await executorOf(member).terminate(member, reason, cut)
      }),
      survey: fromPromise<Survey>(survey),
      nudgeLead: fromPromise<void, NudgeInput>(async ({ input: { open } }) =>
        lead().prompt(userMessage(nudgeText(open), 'runtime')),
      ),
      collect: fromPromise<CollectOutput>(async () => answer()),
    },
  })
}

function hearersOf(leader: Leader): FactListeners {
  const { context, coordination, tellTeam } = leader
  return {
    lead: context.team.coordinator,
    team: tellTeam,
    isUp(member) {
      const life = leader.spawnGate().lives[member]
      return life !== undefined && isUp(life)
    },
    coordinator: coordination.send,
    briefLead({ why }) {
      // A round that failed ends the run, unless its failures are those of a budget that is used up.
      if (why === 'failed' && leader.spawnGate().spent === null) return
      coordination.briefing.settled(why)
      // Results that are still on their way to its box wake it when they are there.
      if (coordination.briefing.waits()) leader.members.get(context.team.coordinator)?.wake()
    },
  }
}
