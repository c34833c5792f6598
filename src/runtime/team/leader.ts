import { isUp } from '../../../machines/team/lives.ts'
import { mayStart, type SpawnGate } from '../../../machines/team/spawn-gate.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { hearing } from '../../projections/fold/fold.ts'
import type { TeamReceipt } from '../../protocol/tools/tool.ts'
import { noRoundsLeft } from '../../rules/team/coordinator-tools.ts'
import { requestsRefusalText, spawnRefusalText, type SpawnLimit } from '../../rules/team/spawn-guard.ts'
import type { Coordination } from './coordination.ts'
import type { Elsewhere } from '../elsewhere/elsewhere.ts'
import type { LeaderBox } from '../tasks/leader-box.ts'
import { isDiskRefusal } from '../journals/halt.ts'
import type { Ledger } from '../journals/ledger.ts'
import type { MemberTrees } from '../elsewhere/member-trees.ts'
import { workerTurn } from '../member/member-deps.ts'
import { nestingMark } from '../runs/nesting.ts'
import type { RunningBoard } from '../tasks/open-board.ts'
import { startMember, type LocalMember } from '../member/start-member.ts'
import type { TeamActions, TeamReach } from '../reach/team-port.ts'
import type { RunContext } from '../context/run-context.ts'
import type { LeadBroker } from '../mcp/lead-broker.ts'
import type { HookWatch } from './watch-hooks.ts'
import type { ToolSets } from '../agent/turn-tools.ts'
import type { BudgetUnit } from '../../rules/team/call-budget.ts'
import { inProcessExecutor } from '../../adapters/executors/in-process.ts'
import type { Executor, SpawnManifest } from '../../protocol/team/executor.ts'

/** A running team in its leader's process: the context of the run, the living members, and the leader's own tools. */
export interface Leader {
  readonly context: RunContext
  /** Members that live in this process, by name. */
  readonly members: Map<string, LocalMember>
  /** Null where all members live in this process. */
  readonly elsewhere: Elsewhere | null
  /** Null where no member has a working tree of its own. */
  readonly trees: MemberTrees | null
  /** The team's journal. */
  readonly ledger: Ledger
  readonly coordination: Coordination
  /** Of all workers: those with the same tools share one set. */
  readonly toolSets: ToolSets
  /** Null where the team has no task board. */
  readonly board: RunningBoard | null
  /** The mailbox of the leader itself. */
  readonly box: LeaderBox
  /** Requests that end with a worker which is to stop, by worker. */
  readonly stopping: Map<string, readonly string[]>
  /** The MCP servers; null where no member has any. */
  readonly broker: LeadBroker | null
  /** The hooks of the team as a whole; null where there are none. */
  readonly hooks: HookWatch | null
  tellTeam(event: TeamEvent): void
  /** Stops a worker, or with `all` calls off all that is open. */
  stop(wish: StopWish): TeamReceipt
  /** The living members, and the limits on starting more. */
  spawnGate(): SpawnGate
  /** Stops the run where it is. */
  halt(error: unknown): void
}

/** A wish that a worker stops: whose, why, and how long it may take to finish or to refuse. */
export interface StopWish {
  readonly worker: string
  /** A member, or `user`. */
  readonly by: string
  readonly reason: string
  readonly grace_ms: number
}

/** Starts a member in this process and keeps it among the living until it is gone. */
function startLocal(leader: Leader, { member: name, fresh = false, restarted = false }: SpawnManifest): LocalMember {
  const { context, members, coordination, toolSets } = leader
  const card = cardOf(context, name)
  const member = startMember({
    context,
    card,
    fresh,
    restarted,
    leadTurn: card.role === 'coordinator' ? coordination.leadTurn : workerTurn(card, toolSets),
    actions: reachOf(leader, card),
    nested: nestingMark(context.nesting, leader.spawnGate().lives[name]?.depth ?? 0),
    crashed(error) {
      // Another life of it could not write either.
      if (isDiskRefusal(error)) leader.halt(error)
      else leader.tellTeam({ type: 'member.crashed', member: name, error: textOfError(error), at: context.clock.now() })
    },
  })
  members.set(name, member)
  void forgetWhenGone(members, name, member)
  return member
}

async function forgetWhenGone(members: Leader['members'], name: string, member: LocalMember): Promise<void> {
  await member.gone
  if (members.get(name) === member) members.delete(name)
}

/** A member that must be running now; the team machine starts the lead first and ends the run without it. */
export function livingMember({ members }: Pick<Leader, 'members'>, name: string): LocalMember {
  const member = members.get(name)
  if (!member) throw new Error(`${name} is not running`)
  return member
}

/** A member that lives, or will in a moment: mail in its name waits for that. */
export async function comingMember(
  { members, context }: Pick<Leader, 'members' | 'context'>,
  name: string,
): Promise<LocalMember> {
  if (!members.has(name)) await startOf(context, name)
  return livingMember({ members }, name)
}

function startOf({ facts }: Pick<RunContext, 'facts'>, name: string): Promise<void> {
  return new Promise((resolve) => {
    const started = (_: unknown, owner: string): void => {
      if (owner !== name) return
      deafen()
      resolve()
    }
    const deafen = facts.subscribe(hearing({ 'member.started': started }))
  })
}

function reachOf(leader: Leader, card: MemberCard): TeamReach {
  const { context, board } = leader
  const { team, roster, clock } = context
  return {
    team: team.name,
    recipients: () => roster.filter((name) => name !== card.name),
    ...(board ? { tasks: board.answers } : {}),
    now: clock.now,
    delegation: card.role === 'coordinator' ? delegationOf(leader) : null,
    stop: (wish) => leader.stop({ ...wish, by: card.name }),
    refusal: (member) => refusalOf(leader, card.name, member),
  }
}

/** Work that is not begun for want of budget is cut short, whatever the lead answers without it: that is stated, once. */
function refusalOf({ context, spawnGate, ledger }: Leader, by: string, member: string): string | null {
  const { budgets, clock } = context
  const refusal = spawnRefusal({ spawnGate, usedUp: budgets.usedUp, now: clock.now }, by, member)
  const unit = budgets.usedUp()
  if (refusal?.limit === 'budget' && unit !== null && spawnGate().spent === null)
    ledger.record([{ type: 'budget.exhausted', scope: 'team', unit, last: true }])
  return refusal?.text ?? null
}

function delegationOf(leader: Leader): TeamActions['delegation'] {
  const { context, ledger, coordination } = leader
  const { team } = context
  const { choose, statusOf, askedAs, nextRequest, isFull, total, mayDelegate } = coordination
  const most = team.limits?.requests ?? Infinity
  const cards = team.members.flatMap(({ name, card, role }) => (role === 'worker' ? [card, name] : []))
  return {
    workers: () => [...new Set(cards)],
    choose,
    statusOf,
    askedAs,
    isFull,
    refusal(worker) {
      if (!mayDelegate()) return `Nothing more can be delegated: ${noRoundsLeft}`
      return total() >= most ? requestsRefusalText(most) : refusalOf(leader, team.coordinator, worker)
    },
    nextRequest,
    open(opened) {
      if (statusOf(opened.request) === undefined) ledger.record([opened])
    },
  }
}

function cardOf({ team }: Pick<RunContext, 'team'>, name: string): MemberCard {
  const card = team.members.find((member) => member.name === name)
  if (!card) throw new Error(`${name} is no member of ${team.name}`)
  return card
}

function textOfError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** The grounds of a refusal: the limits in the team's machine, and the rest of the budget. */
interface SpawnSight {
  spawnGate(): SpawnGate
  usedUp(): BudgetUnit | null
  now(): number
}

/** Which limit is in the way, and what whoever asked is told. */
export interface SpawnRefusal {
  readonly limit: SpawnLimit
  readonly text: string
}

/**
 * Why mail to a member would start nobody, told before it is written; null when it would, or when the member runs. The
 * team's machine has the last word, this is only so that the sender hears it.
 */
function spawnRefusal({ spawnGate, usedUp, now }: SpawnSight, by: string, member: string): SpawnRefusal | null {
  const { lives, coordinator, spent, ...rest } = spawnGate()
  const life = lives[member]
  if (!life || (life.state !== 'absent' && life.state !== 'stopped')) return null
  const seen = { ...rest, lives, coordinator, spent: spent ?? usedUp() }
  const verdict = mayStart(seen, { member, by, at: now() })
  if (verdict.act !== 'refuse') return null
  const running = Object.values(lives).filter((other) => isUp(other) && other.name !== coordinator && other.name !== by)
  const names = running.map(({ name }) => name)
  return { limit: verdict.limit, text: spawnRefusalText(member, verdict, names) }
}

/** Where each member lives, as its card says. */
export function memberExecutors(leader: Leader): (member: string) => Executor {
  const here = inProcessExecutor((manifest) => startLocal(leader, manifest))
  const kinds = new Map(leader.context.team.members.map(({ name, executor }) => [name, executor]))
  return (member) => {
    const kind = kinds.get(member) ?? 'in-process'
    return leader.elsewhere === null || kind === 'in-process' ? here : leader.elsewhere.executor(kind)
  }
}

/** A worker elsewhere may live on: its tree is touched only when a new life of it is prepared. */
export function livesHere({ context: { team } }: Pick<Leader, 'context'>, member: string): boolean {
  return team.members.some(({ name, executor }) => name === member && executor === 'in-process')
}
