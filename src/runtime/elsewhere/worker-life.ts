import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { watchMail } from '../../adapters/mailbox/watch/watch-mail.ts'
import { ordersFolder, readOrders } from '../../adapters/sessions/orders.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Manifest, Orders } from '../../protocol/work/orders.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { systemClock } from '../actors/clock.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import type { RunContext } from '../context/run-context.ts'
import { workerTurn } from '../member/member-deps.ts'
import { startMember } from '../member/start-member.ts'
import { nestingMark } from '../runs/nesting.ts'
import { stopOf } from '../runs/stop-file.ts'
import { followBoard } from '../tasks/follow-board.ts'
import { leaderWatch } from './leader-watch.ts'
import { offerLive } from './offer-live.ts'
import { workerContext, type WorkerContextOptions } from './worker-context.ts'

/** A worker in a process of its own. */
export interface RunningWorker {
  /** Hands over each fact of the worker from now on. */
  subscribe(listener: (recorded: Recorded) => void): void
  /** Hears a signal to end. One that its leader did not send is a crash, unless the leader ends, too. */
  terminate(): void
  /** Resolves when it has left; rejects when it crashed. */
  readonly gone: Promise<void>
}

/** Signals to a whole team come within this time. */
const graceMs = 2_000

/** The file of a life that its process has written for its leader. */
interface Said {
  readonly incarnation: string
  readonly pane: string | null
  readonly hello: Manifest
}

/**
 * Opens all that a worker needs for its work.
 * @returns begins the work
 * @throws when a model or a tool of the team cannot be opened
 */
export async function openLife(plan: Omit<WorkerContextOptions, 'clock'>): Promise<(said: Said) => RunningWorker> {
  const { card, orders } = plan
  const context = await workerContext({ ...plan, clock: systemClock() })
  return (said) => begin({ context, card, orders }, said)
}

interface Life {
  readonly context: RunContext
  readonly card: MemberCard
  readonly orders: Orders
}

function begin({ context, card, orders }: Life, life: Said): RunningWorker {
  const { run, clock, facts } = context
  const crash = Promise.withResolvers<never>()
  // Damage in the team's journal is told in the worker's own journal, which is open a moment later.
  const board = followBoard(context, (code, message) => queueMicrotask(() => warn(code, message)))
  const tools = turnToolSets(() => null, context.tools)
  const member = startMember({
    context,
    card: { ...card, executor: orders.executor },
    leadTurn: workerTurn(card, tools),
    actions: { ...workerReach(context, card), ...(board ? { tasks: board.answers } : {}) },
    crashed: crash.reject,
    life,
    fresh: orders.fresh === true,
    restarted: orders.restarted === true,
    nested: nestingMark(context.nesting, 0),
  })
  let leaving = false
  const leave = (reason: string): void => {
    leaving = true
    member.shutdown(reason)
  }
  const terminate = (): void => {
    if (stopOf(run.dir)) leave('stopped')
    // A leader that was signalled, too, kills this process; it leaves, or it lives and starts the next life.
    clock.setTimeout(() => leaving || member.drop(), graceMs)
  }
  const warn = (code: string, message: string): void => member.record([{ type: 'warning.raised', code, message }])
  const ends = [
    watchOwnBox(context, card.name, warn),
    offerLive(context, card.name, warn),
    obey(run.dir, orders, { leave, halt: member.drop }),
    followLease(context, orders),
    () => context.approvals.store.close(),
    () => board?.close(),
    leaderWatch({ dir: run.dir, clock, busy: member.busy, lost: () => member.shutdown('its leader is gone', true) }),
  ]
  const gone = Promise.race([crash.promise, member.gone]).finally(() => {
    for (const end of ends) end()
  })
  return { subscribe: (listener: (recorded: Recorded) => void) => void facts.subscribe(listener), terminate, gone }
}

/** A worker asks, is asked and answers; it neither delegates nor stops anybody. */
function workerReach(
  { team, roster, clock }: Pick<RunContext, 'team' | 'roster' | 'clock'>,
  card: MemberCard,
): Parameters<typeof startMember>[0]['actions'] {
  return {
    team: team.name,
    recipients: () => roster.filter((name) => name !== card.name),
    delegation: null,
    now: clock.now,
    stop: () => ({ error: 'Only the coordinator stops workers.' }),
    // Only its leader sees who lives: what it refuses is said where the run is watched.
    refusal: () => null,
  }
}

function watchOwnBox(
  { run, doorbell }: Pick<RunContext, 'run' | 'doorbell'>,
  name: string,
  warn: (code: string, text: string) => void,
) {
  const options = { dir: run.mail, names: [name], onProblem: (message: string) => warn('mail_polling', message) }
  const watch = watchMail(options, doorbell.ring)
  return () => void watch.close()
}

/** More of the team's budget comes with new orders. */
function followLease(
  { run, budgets, facts }: Pick<RunContext, 'run' | 'budgets' | 'facts'>,
  { member, incarnation }: Orders,
): () => void {
  // Told in the same step in which it is written: nothing is spent between a rest and the lease after it.
  facts.subscribe(({ entry }) => {
    if (entry.type === 'member.idled') budgets.rest()
  })
  return watchFolder(ordersFolder(run.dir), () => {
    const now = readOrders(run.dir, member)
    if (now?.incarnation === incarnation && now.lease) budgets.obey(now.lease)
  })
}

interface Endings {
  leave(reason: string): void
  /** Stops where it is, as if it were killed; its commands are ended. */
  halt(): void
}

/** Does what the leader orders, once; orders for another life mean that this one is over. */
function obey(dir: string, { member, incarnation }: Orders, { leave, halt }: Endings): () => void {
  let leaving = false
  const look = (): void => {
    const now = readOrders(dir, member)
    if (!now) return
    if (now.incarnation === incarnation && now.standing === 'halt') halt()
    if (leaving || (now.incarnation === incarnation && now.standing !== 'leave')) return
    leaving = true
    leave(now.incarnation === incarnation ? (now.reason ?? 'told to leave') : 'replaced')
  }
  const stop = watchFolder(ordersFolder(dir), look)
  look()
  return stop
}
