import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { nobodyApprover } from '../adapters/approvers/nobody.ts'
import { createDoorbell } from '../adapters/mailbox/doorbell.ts'
import { sealOf } from '../adapters/mailbox/seal.ts'
import { createRun } from '../adapters/sessions/run-directory.ts'
import { readRunKey } from '../adapters/sessions/run-key.ts'
import { applyTally, emptyTally } from '../projections/result.ts'
import type { Recorded } from '../protocol/entry.ts'
import type { PermissionMode, RuleLists } from '../protocol/permission.ts'
import type { Approver } from '../protocol/port.ts'
import type { RunResult } from '../protocol/run.ts'
import type { ResolvedTeam } from '../protocol/team-card.ts'
import { broadcast, type Broadcast } from './broadcast.ts'
import { childEnv } from './child-env.ts'
import { systemClock, type Clock } from './clock.ts'
import { gitHead } from './git-head.ts'
import { runMail, type MailSettings } from './mail-options.ts'
import { openModels, type OpenedModels } from './open-models.ts'
import { startTeam } from './provide-team.ts'
import { runResult } from './run-result.ts'
import { stream } from './stream.ts'
import type { Delta } from './surroundings.ts'
import { standings } from './standings.ts'
import type { TeamScene } from './team-scene.ts'

/** How a team is to be run. */
export interface RunTeamOptions {
  readonly task: string
  /** Where the members work; absolute. Default: the process's directory. */
  readonly cwd?: string
  readonly home?: string
  /** Where credentials are looked up; what tools' children inherit, less the credentials. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly mode?: PermissionMode
  /** Rules of the `cliArg` source. */
  readonly rules?: RuleLists
  /** Dollars the run may spend, instead of what the team says. */
  readonly budgetUsd?: number
  /** The workspace's own allow rules count. */
  readonly trusted?: boolean
  /** Who answers when a rule asks; nobody by default. */
  readonly approver?: Approver
  readonly mail?: MailSettings
  /** Time and names; the system's by default. */
  readonly clock?: Clock
}

/** A run in progress. */
export interface TeamRun {
  /** `<team>-<ulid>`. */
  readonly id: string
  /** The run directory. */
  readonly dir: string
  /** Every fact from now on: exact order per member, arrival order at the leader across members. Ends with the run. */
  facts(): AsyncIterable<Recorded>
  subscribe(listener: (recorded: Recorded) => void): () => void
  /** Live text, lossy. */
  deltas(listener: (delta: Delta) => void): () => void
  /** Ends the run cleanly: every open call is answered, every journal closed. */
  abort(): void
  readonly result: Promise<RunResult>
}

/**
 * Runs a team on a task in a new run directory. The team starts in the next tick, so that whoever subscribes at
 * once hears everything.
 *
 * @throws what the disk says when the run directory cannot be made; `result` rejects when a model cannot be opened
 * @example
 * const run = runTeam(await loadTeam('teams/quickstart.yaml'), { task: 'Survey this repository.' })
 * console.log((await run.result).result)
 */
export function runTeam(resolved: ResolvedTeam, options: RunTeamOptions): TeamRun {
  const team = withBudget(resolved, options.budgetUsd)
  const clock = options.clock ?? systemClock()
  const cwd = options.cwd ?? process.cwd()
  const created = clock.now()
  const { task } = options
  const home = homeOf(options)
  const run = createRun({
    root: join(cwd, '.troupe', 'runs'),
    team,
    task,
    cwd,
    home,
    git_head: gitHead(cwd),
    ulid: clock.mint(),
    created,
  })
  const facts = broadcast<Recorded>()
  const deltas = broadcast<Delta>()
  const stop = new AbortController()
  const result = perform({ team, run, clock, cwd, facts, deltas }, options, stop.signal)
  return {
    id: run.id,
    dir: run.dir,
    facts: () => streamOf(facts, result),
    subscribe: facts.subscribe,
    deltas: deltas.subscribe,
    abort: () => stop.abort(),
    result,
  }
}

function withBudget(team: ResolvedTeam, usd: number | undefined): ResolvedTeam {
  return usd === undefined ? team : { ...team, budget: { ...team.budget, usd } }
}

type Backdrop = Pick<TeamScene, 'team' | 'run' | 'clock' | 'cwd' | 'facts' | 'deltas'>

async function perform(backdrop: Backdrop, options: RunTeamOptions, signal: AbortSignal): Promise<RunResult> {
  const { team, run, clock, facts } = backdrop
  const { task, env = process.env } = options
  const started = clock.now()
  const tally = emptyTally()
  facts.subscribe((recorded) => applyTally(tally, recorded))
  const opened = await openModels(team, { env, home: homeOf(options) }).catch((error: unknown) => {
    // Nothing has happened in it: a run without its models never was.
    rmSync(run.dir, { recursive: true, force: true })
    throw error
  })
  const running = startTeam(sceneOf(backdrop, options, opened), task)
  if (signal.aborted) running.abort()
  signal.addEventListener('abort', running.abort)
  const output = await running.ended
  const unused = [...opened.models.values()].flatMap((model) => model.report?.() ?? [])
  return runResult({ team, run, task, tally, output, unused, duration_ms: clock.now() - started })
}

function homeOf({ home, env = process.env }: RunTeamOptions): string {
  return home ?? env['HOME'] ?? '/'
}

function sceneOf(backdrop: Backdrop, options: RunTeamOptions, opened: OpenedModels): TeamScene {
  const { env = process.env, mail = {} } = options
  return {
    ...backdrop,
    ...opened,
    roster: backdrop.team.members.map(({ name }) => name),
    home: homeOf(options),
    env: childEnv(env),
    mode: options.mode,
    rules: options.rules,
    trusted: options.trusted ?? false,
    approver: options.approver ?? nobodyApprover(),
    doorbell: createDoorbell(),
    mail,
    box: runMail({ ...backdrop, mail }),
    standing: standings(backdrop.facts),
    seal: sealOf(readRunKey(homeOf(options), backdrop.run.id)),
  }
}

/** Facts from now on, until the run is over. */
function streamOf(facts: Broadcast<Recorded>, result: Promise<RunResult>): AsyncIterable<Recorded> {
  const open = stream<Recorded>({ onReturn: () => leave() })
  const leave = facts.subscribe(open.push)
  void result.then(open.end, open.end)
  return open
}
