import { realpathSync } from 'node:fs'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { livePlace } from '../../adapters/live/live-place.ts'
import { ownProcess } from '../../adapters/process/liveness.ts'
import { policyHash } from '../settings/policy-hash.ts'
import { ordersFolder, readOrders } from '../../adapters/sessions/orders.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { treeAt } from '../../adapters/worktrees/verify-tree.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Manifest, Orders } from '../../protocol/work/orders.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { RunningWorker } from './worker-life.ts'

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

/**
 * Runs one member of a team from its run directory alone: `run.json` says who it is, its orders what it may do. It says
 * back what it understood, and begins when its leader has agreed. Its hello needs little; all else is loaded while the
 * leader reads that.
 * @throws when the run or its orders cannot be read, a model cannot be opened, or nobody answers its hello
 */
export async function runWorker(call: WorkerCall): Promise<RunningWorker> {
  const { dir, member, incarnation, env } = call
  const runFile = readRunFile(dir)
  const orders = readOrders(dir, member)
  if (!runFile) throw new Error(unreadableRun(dir))
  if (orders?.incarnation !== incarnation) throw new Error(`${member} has no orders for ${incarnation} in ${dir}`)
  const { team } = runFile
  const card = team.members.find(({ name }) => name === member)
  if (!card) throw new Error(`${member} is no member of ${team.name}`)
  const run = runDirectory(dir, team)
  const live = livePlace({ dir, owner: member, env })
  const hello = await manifestOf(card, orders, call)
  const { executor } = orders
  const pane = executor === 'process' ? null : paneIn(env)
  const life = { incarnation, pane, hello }
  const id = agentId(member, team.name)
  run.writeMember({ id, ...life, executor, ...ownProcess(), state: 'starting', unread: 0, live })
  const { openLife } = await import('./worker-life.ts')
  const begin = await openLife({ run, runFile, orders, card, env, live })
  await agreed(dir, orders)
  return begin(life)
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
