import { detachedPlace } from '../../adapters/executors/detached.ts'
import type { WorkerPlace } from '../../adapters/executors/place.ts'
import { terminalPlace } from '../../adapters/executors/terminal-place.ts'
import { driverHere } from '../../adapters/executors/terminal.ts'
import { tmuxPanes } from '../../adapters/executors/tmux-panes.ts'
import { workerExecutor, type WorkerExecutor } from '../../adapters/executors/worker-executor.ts'
import { foldOver, getOrMake, ignore } from '../../projections/fold/fold.ts'
import type { Executor } from '../../protocol/team/executor.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { lendBudget, type Lending } from './lend-budget.ts'
import type { TeamEvent } from '../../../machines/team/team.ts'
import { diskRefusal } from '../journals/halt.ts'
import { hearLive } from './hear-live.ts'
import { followJournals, type JournalFollower } from '../journals/journal-follower.ts'
import type { MemberTrees } from './member-trees.ts'
import { tmuxSocket } from '../runs/place-members.ts'
import type { RunContext } from '../context/run-context.ts'
import { workerControl, type WorkerListener } from './worker-control.ts'

/** The members of a team that live in other processes, as their leader knows them: from what they journal. */
export interface Elsewhere {
  /** The executor of that kind, made when it is first asked for. */
  executor(kind: string): Executor
  /** Neither idle nor gone, as far as it has been heard. */
  busy(member: string): boolean
  /** Hears everything that has been written by now. */
  catchUp(): void
  /** Stops listening. Members that live go on as they do when their leader dies. */
  leave(): void
  /** Stops the members where they are, after it has stopped listening. */
  halt(): Promise<unknown>
  /** Stops listening and removes every place. The members have left before. */
  close(): Promise<void>
}

/** Actions of the leader on news from processes of workers. */
export interface ElsewhereOptions {
  tellTeam(event: TeamEvent): void
  /** Stops the run where it is. */
  halt(error: unknown): void
  record(facts: readonly Fact[]): void
  /** How many starts away from the coordinator a member is. */
  depth(member: string): number
  readonly trees: MemberTrees | null
}

/** How the members elsewhere are, by name. */
interface Lives {
  readonly busy: Set<string>
  /** Members whose present life has not ended in order. */
  readonly begun: Set<string>
  /** True when nobody listens any more. */
  left: boolean
}

const note = foldOver<Lives, 'life'>({
  'member.spawned': ignore,
  'member.started': ignore,
  'member.woke': ({ busy }, _, owner) => void busy.add(owner),
  'member.idled': ({ busy }, _, owner) => void busy.delete(owner),
  'member.drained': ignore,
  'member.gone': ({ busy, begun }, _, owner) => {
    busy.delete(owner)
    begun.delete(owner)
  },
  'member.crashed': ({ busy }, { member }) => void busy.delete(member),
  'member.lost': ignore,
  'member.refused': ignore,
  'member.stopped': ignore,
})

/** Members elsewhere write their own journals: what they say there is published like what is said here. */
export function openElsewhere(context: RunContext, options: ElsewhereOptions): Elsewhere {
  const lives: Lives = { busy: new Set(), begun: new Set(), left: false }
  warnOfMiddleware(context, options.record)
  for (const recorded of context.earlier.recorded) note(lives, recorded)
  const live = hearLive(context)
  const follower = followJournals(context.run, {
    heard(recorded) {
      note(lives, recorded)
      live.attend(recorded.owner)
      context.budgets.heard(recorded)
      context.facts.publish(recorded)
      if (lending.heard(recorded)) store.lease(recorded.owner)
    },
    warn: (code, message) => options.record([{ type: 'warning.raised', code, message }]),
  })
  const lending = lendBudget(context, options.record)
  const store = workerControl(context, options.trees, listenerOf(lives, { ...options, context, follower, lending }))
  const open = new Map<string, WorkerExecutor>()
  const every = (end: (executor: WorkerExecutor) => Promise<void>) => Promise.all([...open.values()].map(end))
  return {
    executor: (kind) => getOrMake(open, kind, () => workerExecutor(kind, placeOf(kind, context), store)),
    busy: (member) => lives.busy.has(member),
    catchUp: follower.catchUp,
    leave() {
      lives.left = true
      live.close()
      follower.close()
    },
    halt: () => every((executor) => executor.halt()),
    async close() {
      await every((executor) => executor.close())
      follower.catchUp()
      follower.close()
      live.close()
    },
  }
}

/** Code of a program does not cross into another process: the workers there are named. */
function warnOfMiddleware({ team, middleware = [] }: RunContext, record: ElsewhereOptions['record']): void {
  if (middleware.length === 0) return
  const away = team.members.flatMap(({ name, executor }) => (executor === 'in-process' ? [] : [name]))
  const names = middleware.map(({ name }) => name).join(', ')
  const message = `the middleware ${names} of the program does not run around ${away.join(', ')}: they work in processes of their own. Use executor in-process for them, or middleware that the team file names`
  record([{ type: 'warning.raised', code: 'middleware', message }])
}

/** Where processes of workers are started. A new place is a file among the executors and a line here. */
function placeOf(
  kind: string,
  { run, ownEnv, executors }: Pick<RunContext, 'run' | 'ownEnv' | 'executors'>,
): WorkerPlace {
  if (kind === 'process') return detachedPlace()
  if (kind === 'tmux-panes') return tmuxPanes({ env: ownEnv, run: run.dir })
  if (kind === 'tmux') return tmuxPanes({ env: ownEnv, run: run.dir, server: tmuxSocket(run.id) })
  const driver = kind === 'terminal' ? driverHere(ownEnv) : null
  const place = driver ? terminalPlace(driver, { env: ownEnv }) : executors[kind]
  if (!place) throw new Error(`there is no executor ${kind} here`)
  return place
}

interface ListenerOptions extends Pick<ElsewhereOptions, 'tellTeam' | 'halt' | 'depth'> {
  readonly context: RunContext
  readonly lending: Lending
  readonly follower: JournalFollower
}

/** The steps that follow from the beginning and the end of a worker's process. */
function listenerOf(
  lives: Lives,
  { context: { run, clock, earlier }, follower, tellTeam, halt, depth, lending }: ListenerOptions,
): WorkerListener {
  const attend = (member: string): void => {
    follower.follow(member, earlier.positions.get(member))
    lives.begun.add(member)
  }
  return {
    depth,
    lease: lending.lease,
    goesOn: lending.goesOn,
    refused: halt,
    // One that lives on is as its journal says.
    adopted: attend,
    begun(member) {
      attend(member)
      // Until it says that it is idle it may be about to do something.
      lives.busy.add(member)
    },
    ended(member, { last, how }) {
      if (lives.left) return
      follower.catchUp()
      lending.ended(member)
      lives.busy.delete(member)
      if (!lives.begun.delete(member)) return
      // A process that met a full disk cannot say why it ended, and another life could not write either.
      const refusal = diskRefusal(run.dir)
      if (refusal) {
        halt(refusal)
        return
      }
      const error = `its process ended without a word${how}${last === '' ? '' : `; the last it said:\n${last}`}`
      tellTeam({ type: 'member.crashed', member, error, at: clock.now() })
    },
  }
}
