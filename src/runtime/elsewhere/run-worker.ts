import { realpathSync } from 'node:fs'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { watchMail } from '../../adapters/mailbox/watch/watch-mail.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { policyHash } from '../settings/policy.ts'
import { latestOrders, ordersFolder, readOrders } from '../../adapters/sessions/orders.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { treeAt } from '../../adapters/worktrees/verify-tree.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Manifest, Orders } from '../../protocol/work/orders.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { systemClock } from '../actors/clock.ts'
import { leaderWatch } from './leader-watch.ts'
import { workerTurn } from '../member/member-deps.ts'
import { nestingMark } from '../runs/nesting.ts'
import { stopOf } from '../runs/stop-file.ts'
import { offerLive } from './offer-live.ts'
import { startMember } from '../member/start-member.ts'
import { followBoard } from '../tasks/follow-board.ts'
import type { RunContext } from '../context/run-context.ts'
import { turnToolSets } from '../agent/turn-tools.ts'
import { workerContext } from './worker-context.ts'

/** Which life of which member a process is to be. */
export interface WorkerCall {
  /** The run directory. */
  readonly dir: string
  readonly member: string
  readonly incarnation: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where its process is. */
  readonly cwd: string
}

/** A worker in a process of its own. */
export interface RunningWorker {
  /** Hands over each fact of the worker from now on. */
  subscribe(listener: (recorded: Recorded) => void): void
  /** Hears a signal to end. One that its leader did not send is a crash, unless the leader ends, too. */
  terminate(): void
  /** Resolves when it has left; rejects when it crashed. */
  readonly gone: Promise<void>
}

/**
 * Runs one member of a team from its run directory alone: `run.json` says who it is, its orders what it may do. It says
 * back what it understood, and begins when its leader has agreed.
 * @throws when the run or its orders cannot be read, or nobody answers its hello
 */
export async function runWorker(call: WorkerCall): Promise<RunningWorker> {
  const { dir, member, incarnation, env } = call
  const runFile = readRunFile(dir)
  const orders = readOrders(dir, member)
  if (!runFile) throw new Error(unreadableRun(dir))
  if (orders?.incarnation !== incarnation) throw new Error(`${member} has no orders for ${incarnation} in ${dir}`)
  const card = runFile.team.members.find(({ name }) => name === member)
  if (!card) throw new Error(`${member} is no member of ${runFile.team.name}`)
  const policy = followPolicy(dir, orders)
  const context = await workerContext({ dir, runFile, orders, policy, card, env, clock: systemClock() })
  const hello = await manifestOf(card, orders, call)
  const id = agentId(member, context.team.name)
  const { executor } = orders
  const pane = executor === 'process' ? null : paneIn(env)
  context.run.writeMember({
    id,
    incarnation,
    executor,
    ...ownProcess(),
    pane,
    state: 'starting',
    unread: 0,
    live: context.live,
    hello,
  })
  await agreed(dir, orders)
  return begin({ context, card, orders }, { incarnation, pane, hello })
}

const paneVariables = ['TMUX_PANE', 'KITTY_WINDOW_ID', 'WEZTERM_PANE', 'ITERM_SESSION_ID', 'ZELLIJ_PANE_ID'] as const

/** The terminal's own name of the pane that shows this process. */
function paneIn(env: WorkerCall['env']): string | null {
  const name = paneVariables.find((variable) => env[variable])
  return name === undefined ? null : (env[name] ?? null)
}

/** The manifest as the worker itself finds it: the place of its process, and the branch that git names there. */
async function manifestOf(card: MemberCard, { policy, manifest }: Orders, { cwd: here, env }: WorkerCall) {
  const { model, tools, isolation } = card
  const cwd = realpathSync.native(manifest.cwd) === realpathSync.native(here) ? manifest.cwd : here
  const said: Manifest = { model, tools, policy: policyHash(policy), cwd }
  if (isolation === 'none') return said
  const found = await treeAt({ cwd: here, env })
  return { ...said, branch: typeof found === 'string' ? found : (found.branch ?? '') }
}

const agreementMs = 30_000

/** Resolves when the leader has agreed. */
async function agreed(dir: string, { member, incarnation }: Orders): Promise<void> {
  const answer = Promise.withResolvers<void>()
  const look = (): void => {
    const now = readOrders(dir, member)
    if (now && now.incarnation !== incarnation) answer.reject(new Error('another life of this member was started'))
    else if (now?.standing === 'work') answer.resolve()
    else if (now && now.standing !== 'begin') answer.reject(new Error(`it was told to leave: ${now.reason ?? ''}`))
  }
  const stop = watchFolder(ordersFolder(dir), look)
  const timer = setTimeout(() => answer.reject(new Error('its leader did not answer')), agreementMs)
  look()
  try {
    await answer.promise
  } finally {
    clearTimeout(timer)
    stop()
  }
}

/** Signals to a whole team come within this time. */
const graceMs = 2_000

interface Call {
  readonly context: RunContext
  readonly card: MemberCard
  readonly orders: Orders
}

/**
 * The policy that a worker obeys: its leader's latest word at the moment of asking. A notification would come too late
 * for a call that is judged just now.
 */
function followPolicy(dir: string, { member, incarnation, policy }: Orders): () => Policy {
  const latest = latestOrders(dir, member)
  return () => {
    const now = latest()
    return now?.incarnation === incarnation ? now.policy : policy
  }
}

function begin({ context, card, orders }: Call, life: { incarnation: string; pane: string | null; hello: Manifest }) {
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
