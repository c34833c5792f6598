import { join } from 'node:path'
import type { WorkerEnd, WorkerControl } from '../../adapters/executors/worker-executor.ts'
import type { WorkerCommand } from '../../adapters/executors/place.ts'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { endProcess, markVariable } from '../../adapters/process/end-process.ts'
import { policyHash } from '../settings/policy-hash.ts'
import { readOrders, writeOrders } from '../../adapters/sessions/orders.ts'
import { readMember } from '../../adapters/sessions/read-run.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { readWorktree } from '../../adapters/worktrees/worktree-files.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { BudgetLease, Manifest, Orders } from '../../protocol/work/orders.ts'
import type { SpawnManifest } from '../../protocol/team/executor.ts'
import type { MemberFile } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { portable } from '../hooks/run-hooks.ts'
import { isDead } from '../runs/leader.ts'
import { nestingMark } from '../runs/nesting.ts'
import { ownProgram } from '../runs/own-program.ts'
import type { MemberTrees } from './member-trees.ts'
import type { RunContext } from '../context/run-context.ts'

/** Callbacks of the leader for the life of a worker. */
export interface WorkerListener {
  /** A new life of a worker begins. */
  begun(member: string): void
  /** A life that another leader began goes on. */
  adopted(member: string): void
  ended(member: string, end: WorkerEnd): void
  /** How many starts away from the coordinator it is. */
  depth(member: string): number
  /** More of the team's budget; null when nothing is limited. */
  lease(member: string): BudgetLease | null
  /** True when the worker can live on with this lease; false when it needs another one. */
  goesOn(member: string, lease: BudgetLease | undefined): boolean
  /** New orders for one that works could not be written. */
  refused(error: unknown): void
}

export interface Leasing {
  /** Gives a worker more of the team's budget, while there is more. */
  lease(member: string): void
}

/** The pane of this process is not that of the worker. */
const panes = /^TMUX(_PANE)?$/
const terminateMs = 2_000

/** The leader's control over workers in other processes: orders out, hellos in, all of it in the run directory. */
export function workerControl(
  context: RunContext,
  trees: Pick<MemberTrees, 'open'> | null,
  listener: WorkerListener,
): WorkerControl & Leasing {
  const current = new Map<string, Orders>()
  const write = (orders: Orders): void => {
    current.set(orders.member, orders)
    writeOrders(context.run.dir, orders)
  }
  const rewrite = unlessRefused(write, listener)
  // A worker follows no settings file: it obeys what its leader makes of them.
  context.settings?.subscribe(() => {
    for (const orders of current.values()) if (orders.standing === 'work') rewrite(underPolicy(orders, context))
  })
  return {
    lease(member) {
      const orders = current.get(member)
      if (orders?.standing === 'work') rewrite(leased(orders, listener))
    },
    async adopt(member) {
      const living = await wantedWorker(context, member)
      if (!living) return null
      listener.adopted(member)
      const orders = listener.goesOn(member, living.orders.lease) ? living.orders : leased(living.orders, listener)
      write(underPolicy({ ...orders, standing: 'work' }, context))
      return living.file
    },
    async prepare(manifest) {
      await trees?.open(manifest.member, manifest.attempt)
      const orders = newOrders(context, manifest, context.clock.mint())
      listener.begun(manifest.member)
      write(leased(orders, listener))
      return commandOf(context, orders, nestingMark(context.nesting, listener.depth(manifest.member)))
    },
    ...wordsOf(context.run, (member) => given(current, member)),
    order: (member, standing, reason) => write(underPolicy({ ...given(current, member), standing, reason }, context)),
    mark: (member) => given(current, member).incarnation,
    ended: listener.ended,
  }
}

/** For those that work already: nobody waits for these orders to be written. */
function unlessRefused(write: (orders: Orders) => void, { refused }: WorkerListener) {
  return (orders: Orders): void => {
    try {
      write(orders)
    } catch (error) {
      refused(error)
    }
  }
}

function given(current: ReadonlyMap<string, Orders>, member: string): Orders {
  const orders = current.get(member)
  if (!orders) throw new Error(`${member} was given no orders`)
  return orders
}

/** The same orders with a lease, where the team's budget has limits. */
function leased(orders: Orders, listener: WorkerListener): Orders {
  const lease = listener.lease(orders.member)
  return lease === null ? orders : { ...orders, lease }
}

function cardOf({ team }: Pick<RunContext, 'team'>, member: string): MemberCard {
  const card = team.members.find(({ name }) => name === member)
  if (!card) throw new Error(`${member} is no member of ${team.name}`)
  return card
}

function manifestOf(context: Pick<RunContext, 'workplace' | 'policy'>, card: MemberCard): Manifest {
  const { cwd, tree } = context.workplace(card)
  const branch = tree === null ? {} : { branch: readWorktree(tree.top)?.branch ?? '' }
  return { model: card.model, tools: card.tools, policy: policyHash(context.policy(card)), cwd, ...branch }
}

/** The same orders under the policy that holds now. */
type PolicyContext = Pick<RunContext, 'team' | 'workplace' | 'policy'>

function underPolicy(orders: Orders, context: PolicyContext): Orders {
  const card = cardOf(context, orders.member)
  return { ...orders, policy: context.policy(card), manifest: manifestOf(context, card) }
}

function newOrders(
  context: PolicyContext & Pick<RunContext, 'home' | 'approvals' | 'settings' | 'hooks'>,
  { member, fresh = false, restarted = false }: SpawnManifest,
  incarnation: string,
): Orders {
  const card = cardOf(context, member)
  const manifest = manifestOf(context, card)
  const policy = context.policy(card)
  const { home, approvals, settings, hooks } = context
  const [inForce, off, limits] = [portable(hooks.inForce(card)), hooks.off(), hooks.limits()]
  const isBound = Object.values(limits).some(({ urls, variables }) => urls !== null || variables !== null)
  const known = settings?.current().trusted ?? []
  const trusted = known === 'all' ? known : [...known]
  const questions = {
    reachable: approvals.reachable,
    wait_ms: approvals.waitMs,
    classifier: approvals.classifierModel,
  }
  const { executor } = card
  return {
    member,
    incarnation,
    executor,
    standing: 'begin',
    reason: null,
    ...(fresh && { fresh: true as const }),
    ...(restarted && { restarted: true as const }),
    manifest,
    policy,
    questions,
    trusted,
    providers: settings?.current().providers ?? {},
    ...(inForce.length === 0 ? {} : { hooks: [...inForce] }),
    ...(off.length === 0 ? {} : { hooks_off: [...off] }),
    ...(isBound ? { hook_limits: limits } : {}),
    home,
  }
}

/** A worker mostly waits: the engine's default keeps 15 MB of garbage in each. In megabytes. */
const smallHeap = ['--max-semi-space-size=2']

function commandOf(
  context: Pick<RunContext, 'run' | 'team' | 'ownEnv' | 'workplace'>,
  { member, incarnation }: Orders,
  nested: ReturnType<typeof nestingMark>,
): WorkerCommand {
  const { run, team, ownEnv } = context
  const { cwd } = context.workplace(cardOf(context, member))
  const given = Object.entries(ownEnv).filter(([name, value]) => value !== undefined && !panes.test(name))
  return {
    member,
    argv: [process.execPath, ...smallHeap, ownProgram, 'worker', run.dir, member, '--incarnation', incarnation],
    view: [process.execPath, ownProgram, 'attach', `${member}@${run.dir}`],
    env: { ...(Object.fromEntries(given) as Record<string, string>), [markVariable]: incarnation, ...nested },
    cwd,
    log: join(run.dir, 'log', `${member}.log`),
    title: agentId(member, team.name),
    colour: team.members.findIndex(({ name }) => name === member),
  }
}

/** The words of a worker for its leader: a hello that has to be what the worker was told, and that it has begun. */
function wordsOf(run: RunDirectory, orders: (member: string) => Orders): Pick<WorkerControl, 'hello' | 'begun'> {
  return {
    async hello(member, signal) {
      const told = orders(member)
      const { pid, started, hello } = await memberFile(run, told, { is: (file) => Boolean(file.hello), signal })
      const wrong = misunderstood(told.manifest, hello)
      if (wrong.length > 0) throw new Error(`it understood another ${wrong.join(' and ')} than it was told`)
      return { pid, started }
    },
    async begun(member, signal) {
      await memberFile(run, orders(member), { is: ({ state }) => state !== 'starting', signal })
    },
  }
}

/** Waits until the file of a worker's life is like this. A last look comes when there is nothing more to wait for. */
async function memberFile(
  run: RunDirectory,
  { member, incarnation }: Orders,
  { is, signal }: { readonly is: (file: MemberFile) => boolean; readonly signal: AbortSignal },
): Promise<MemberFile> {
  const said = Promise.withResolvers<MemberFile>()
  const look = (): void => {
    const file = readMember(run.dir, member)
    if (file?.incarnation === incarnation && is(file)) said.resolve(file)
  }
  const give = (): void => {
    look()
    said.reject(signal.reason)
  }
  signal.addEventListener('abort', give, { once: true })
  const stop = watchFolder(join(run.dir, 'members'), look)
  look()
  try {
    return await said.promise
  } finally {
    stop()
    signal.removeEventListener('abort', give)
  }
}

function misunderstood(told: Manifest, said: Manifest | undefined): readonly string[] {
  const keys = Object.keys(told) as (keyof Manifest)[]
  return keys.filter((key) => JSON.stringify(told[key]) !== JSON.stringify(said?.[key]))
}

interface LivingWorker {
  readonly file: MemberFile
  readonly orders: Orders
}

function livingWorker({ run }: Pick<RunContext, 'run'>, member: string): LivingWorker | null {
  const [file, orders] = [readMember(run.dir, member), readOrders(run.dir, member)]
  if (!file || !orders || file.state === 'gone' || file.incarnation !== orders.incarnation) return null
  return isDead(run.dir, file) ? null : { file, orders }
}

/** The worker that lives and does what it would be told to do now; one that does not is ended first. */
async function wantedWorker(
  context: PolicyContext & Pick<RunContext, 'run'>,
  member: string,
): Promise<LivingWorker | null> {
  const living = livingWorker(context, member)
  if (!living || isWanted(living.orders, context, member)) return living
  await endProcess(living.file, terminateMs)
  return null
}

/** The live orders equal the current ones, and none of them is `leave`. */
function isWanted({ manifest, standing }: Orders, context: PolicyContext, member: string): boolean {
  return standing === 'work' && misunderstood(manifestOf(context, cardOf(context, member)), manifest).length === 0
}
