import { driverHere } from '../../adapters/executors/terminal.ts'
import { findProgram, systemPath } from '../../adapters/fs/system-programs.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { MemberCard, ResolvedTeam } from '../../protocol/team/team-card.ts'
import { chooseExecutor } from '../../rules/team/executor-choice.ts'
import { NoPlace } from './no-place.ts'

/** The conditions that decide where members run. */
export interface Placing {
  /** For all workers, instead of what their cards say. */
  readonly executor?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  /** A person sits at a terminal of this process. */
  readonly interactive: boolean
}

export interface PlacedTeam {
  /** The team with every `auto` settled: what ran, and not what it depended on. */
  readonly team: ResolvedTeam
  /** Which choices a person should know of. */
  readonly chosen: readonly Omit<FactOf<'executor.chosen'>, 'look'>[]
}

/**
 * Settles where each worker runs; the coordinator stays in the leader's process, where its state is.
 * @throws NoPlace when tmux is wanted and not there, or a terminal and this is none that is known
 */
export function placeMembers(team: ResolvedTeam, placing: Placing): PlacedTeam {
  const { env } = placing
  const chosen = new Map<string, { executor: string; members: string[]; why: string }>()
  const members = team.members.map((card): MemberCard => {
    if (card.role === 'coordinator') return { ...card, executor: 'in-process' }
    const { executor, why } = placeOf(card, placing)
    if (executor === 'terminal' && !driverHere(env)) throw new NoPlace(noTerminal)
    if (executor.startsWith('tmux') && !hasTmux(env)) throw new NoPlace(noTmux)
    if (executor === 'tmux-panes' && !env['TMUX_PANE']) throw new NoPlace(noPane)
    const known = chosen.get(executor) ?? { executor, members: [], why }
    known.members.push(card.name)
    chosen.set(executor, known)
    return { ...card, executor }
  })
  const said = [...chosen.values()].filter(({ executor, why }) => executor !== 'in-process' || why !== byCard)
  return { team: { ...team, members }, chosen: said.map((choice) => ({ type: 'executor.chosen', ...choice })) }
}

const byCard = 'its card says so'
const noTerminal =
  'executor terminal: this is no terminal whose windows can be opened; set TROUPE_TERMINAL, e.g. "foot {argv}", or use tmux'
const noPane =
  'executor tmux-panes: this is not inside tmux; start tmux first, or use executor tmux, which has a tmux server of its own'
const noTmux = 'executor tmux: tmux is not on PATH; install it, or start the run with --executor process'

function hasTmux(env: Placing['env']): boolean {
  return findProgram('tmux', systemPath(env['PATH'], [])) !== null
}

function placeOf(card: MemberCard, { executor, env, interactive }: Placing): { executor: string; why: string } {
  const wanted = executor ?? card.executor
  if (wanted !== 'auto') return { executor: wanted, why: executor === undefined ? byCard : 'the run was started so' }
  const tmux = Boolean(env['TMUX']) && hasTmux(env)
  const { kind, why } = chooseExecutor({ terminal: driverHere(env)?.name ?? null, tmux, interactive })
  return { executor: kind, why: `auto: ${why}` }
}

/** The name of the private tmux server of a run. */
export function tmuxSocket(run: string): string {
  return `troupe-${run.slice(-10).toLowerCase()}`
}

/** How a person sees the members that run there; null where there is nothing to open. */
export function lookAt(executor: string, run: string): string | null {
  return executor === 'tmux' ? `tmux -L ${tmuxSocket(run)} attach` : null
}
