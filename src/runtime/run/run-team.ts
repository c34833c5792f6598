import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { livePlace } from '../../adapters/live/live-place.ts'
import { createDoorbell } from '../../adapters/mailbox/watch/doorbell.ts'
import { sealOf } from '../../adapters/mailbox/files/read-mail.ts'
import { createRun, type NewRun } from '../../adapters/sessions/run-directory.ts'
import { readRunFile } from '../../adapters/sessions/read-run.ts'
import { readRunKey, removeRunKey } from '../../adapters/sessions/run-key.ts'
import { applyTally, emptyTally } from '../../projections/team/result.ts'
import { beginOfRun } from '../../projections/team/run-end.ts'
import { applyShortfall, emptyShortfall } from '../../projections/team/shortfall.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { HookTable } from '../../protocol/hooks/hook.ts'
import type { PermissionMode, RuleLists } from '../../protocol/permissions/permission.ts'
import type { RunResult } from '../../protocol/team/run.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { broadcast } from '../actors/broadcast.ts'
import { openBudgets } from '../budget/budgets.ts'
import { childEnv } from '../../adapters/process/child-env.ts'
import { elapsed, systemClock, type Clock } from '../actors/clock.ts'
import type { Extensions } from '../runs/extensions.ts'
import { noPast } from '../runs/earlier-run.ts'
import { gitHead } from '../../adapters/worktrees/git-process.ts'
import { asHalt, beforeRun } from '../journals/halt.ts'
import { openApprovals, type Approvals, type ApprovalsOptions } from '../permissions/approvals.ts'
import { runMail, type MailSettings } from '../context/mail-options.ts'
import { openBreakers } from '../recovery/breakers.ts'
import { placeMembers } from '../runs/place-members.ts'
import { stopOf } from '../runs/stop-file.ts'
import { nestingOf } from '../runs/nesting.ts'
import { openModels, serversOf, type OpenedModels } from '../models/open-models.ts'
import { startTeam, type RunningTeam, type TeamEnding } from '../team/provide-team.ts'
import { clarifiedTask } from './clarify-task.ts'
import { launchOf, withBudget } from './launch-of.ts'
import { runResult } from './run-result.ts'
import { clearLeftovers } from '../upkeep/clear-leftovers.ts'
import { sweepRuns } from '../upkeep/sweep-runs.ts'
import { openSettings, type LiveSettings } from '../settings/open-settings.ts'
import { teamPlaces } from '../settings/team-places.ts'
import { teamPolicies } from '../settings/policy.ts'
import type { Stream } from '../actors/stream.ts'
import { streamOf } from './fact-stream.ts'
import type { Delta } from '../agent/agent-deps.ts'
import { deliverability } from '../context/deliverability.ts'
import type { RunContext } from '../context/run-context.ts'
import { workplacesOf } from '../worktrees/workplaces.ts'
import { settingsModels } from '../settings/load-rules.ts'
import { refuseUnknown } from '../team-files/load-team.ts'
import { pluginHooks } from '../plugins/plugin-parts.ts'
import { teamHooks } from '../hooks/run-hooks.ts'
import { skillsOf } from '../skills/skills-of.ts'
import { mcpOf } from '../mcp/mcp-of.ts'
import { openTeamTools } from '../team-files/team-tools.ts'
import { runTelemetry, traceOfLaunch, untilSent, type TelemetryWishes } from '../telemetry/run-telemetry.ts'

/** How a team is to be run. */
export interface RunTeamOptions extends ApprovalsOptions, Extensions, TelemetryWishes, Pick<NewRun, 'attachments'> {
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
  /** Rules that the workspace's own files allow count, although no person has stored trust in them. */
  readonly trusted?: boolean
  /** Opens bypassPermissions mode, unless a settings file or the managed policy keeps it shut. */
  readonly allowBypass?: boolean
  /** Where the managed policy lies; `/etc/troupe` by default. */
  readonly policyRoot?: string
  readonly mail?: MailSettings
  /** Where the workers run, instead of what their cards say. */
  readonly executor?: string
  /** Hooks of the program, functions among them; a function is called for members of this process alone. */
  readonly hooks?: HookTable
  /** A person sits at a terminal of this process: `auto` may open panes. */
  readonly interactive?: boolean
  /** Time and names; the system's by default. */
  readonly clock?: Clock
}

/** A run in progress. */
export interface TeamRun {
  /** `<team>-<ulid>`. */
  readonly id: string
  /** The run directory. */
  readonly dir: string
  /**
   * Every fact from now on: exact order per member, arrival order at the leader across members. Ends with the run. No
   * member asks its model again while a reader is 10,000 facts behind; `subscribe` makes nobody wait.
   */
  facts(): AsyncIterable<Recorded>
  subscribe(listener: (recorded: Recorded) => void): () => void
  /** Live text of all members, in whichever process they live; lossy. */
  deltas(listener: (delta: Delta) => void): () => void
  /** Ends the run cleanly and for good: every open call is answered, every journal closed. */
  abort(): void
  /**
   * Stops the run where it is, as a kill would, and leaves nothing running; `result` says `interrupted`, and `resumeTeam`
   * leads the run on. A run that somebody is stopping for good is aborted.
   */
  interrupt(): void
  readonly result: Promise<RunResult>
}

/**
 * Runs a team on a task in a new run directory. The team starts in the next tick, so that whoever subscribes at
 * once hears everything.
 *
 * @throws what the disk says when the run directory cannot be made; `result` rejects when a model cannot be opened, or the team names
 * what is not here
 * @example
 * const run = runTeam(await loadTeam('teams/quickstart.yaml'), { task: 'Survey this repository.' })
 * console.log((await run.result).result)
 */
export function runTeam(resolved: ResolvedTeam, options: RunTeamOptions): TeamRun {
  return leadRun(prepareRun(resolved, options), options)
}

/** Settles where members run and makes the directory of a run that nobody leads yet. */
export function prepareRun(resolved: ResolvedTeam, options: RunTeamOptions): RunPlan {
  const { env = process.env, cwd = process.cwd(), executor, interactive = false, task, attachments = [] } = options
  const { team, chosen } = placeMembers(withBudget(resolved, options.budgetUsd), { executor, env, interactive })
  nestingOf(env, team)
  const clock = options.clock ?? systemClock()
  const home = homeOf(options)
  const place = { root: join(cwd, '.troupe', 'runs'), cwd, home, git_head: gitHead({ cwd, env }) }
  const ulid = clock.mint()
  const traceparent = traceOfLaunch(`${team.name}-${ulid}`, { ...options, env })
  const launch = launchOf({ ...options, traceparent })
  const run = beforeRun([cwd, home], () =>
    createRun({ ...place, team, task, attachments, ulid, created: clock.now(), launch }),
  )
  return { team, chosen, run, clock, cwd, earlier: noPast, clarifies: true, traceparent }
}

/** The part of a run's frame that is fixed before any file of the run is opened. */
export type RunPlan = Omit<RunFrame, 'facts' | 'deltas' | 'distant' | 'room'> & {
  /** A task that says too little is asked about: the run is a new one. */
  readonly clarifies?: true
  /** The trace that the run belongs to. */
  readonly traceparent?: string | undefined
}

/** Leads a run whose directory is there, from its beginning or from where its journals end. */
export function leadRun(plan: RunPlan, options: RunTeamOptions): TeamRun {
  const { run } = plan
  const facts = broadcast<Recorded>()
  const deltas = broadcast<Delta>()
  const distant = broadcast<Delta>()
  const readers = new Set<Stream<Recorded>>()
  const room = async (): Promise<void> => void (await Promise.all([...readers].map((reader) => reader.room())))
  const stop = new AbortController()
  const telemetry = runTelemetry(plan, { env: process.env, ...options })
  if (telemetry !== null) facts.subscribe(telemetry.hear)
  const performed = perform({ ...plan, facts, deltas, distant, room }, options, stop.signal).catch((error: unknown) => {
    throw asHalt(run, error)
  })
  const result = untilSent(performed, telemetry)
  return {
    id: run.id,
    dir: run.dir,
    facts: () => streamOf(facts, result, readers),
    subscribe: facts.subscribe,
    deltas(listener) {
      const deaf = [deltas.subscribe(listener), distant.subscribe(listener)]
      return () => deaf.forEach((leave) => leave())
    },
    abort: () => stop.abort('abort'),
    interrupt: () => stop.abort(stopOf(run.dir) ? 'abort' : 'interrupt'),
    result,
  }
}

type RunFrame = Pick<
  RunContext,
  'team' | 'chosen' | 'earlier' | 'run' | 'clock' | 'cwd' | 'facts' | 'deltas' | 'distant' | 'room'
>

async function perform(frame: RunFrame & RunPlan, options: RunTeamOptions, signal: AbortSignal): Promise<RunResult> {
  const { team, run, clock, facts, earlier } = frame
  const started = beginOfRun(earlier.recorded, readRunFile(run.dir)?.created ?? clock.now())
  const tally = emptyTally()
  const shortfall = emptyShortfall(team.gather)
  const note = (recorded: Recorded): void => {
    applyTally(tally, recorded)
    applyShortfall(shortfall, recorded)
  }
  for (const recorded of earlier.recorded) note(recorded)
  facts.subscribe(note)
  const [opened, task] = await begin(frame, options, signal).catch((error: unknown) => {
    // A run without its models, without a clear task, or under a broken policy has no entry yet and never was.
    if (earlier.recorded.length === 0) {
      rmSync(run.dir, { recursive: true, force: true })
      removeRunKey(homeOf(options), run.id)
    }
    throw error
  })
  const context = contextOf(frame, options, opened)
  const swept = await sweepRuns({ cwd: context.cwd, home: homeOf(options), env: context.ownEnv, clock })
  const running = startTeam(context, { task, swept })
  const end = (): void => (signal.reason === 'interrupt' ? running.interrupt() : running.abort())
  if (signal.aborted) end()
  signal.addEventListener('abort', end)
  const output = await outcomeOf(running, opened)
  if (output.status !== 'interrupted') clearLeftovers(run.dir, clock)
  const unused = [...opened.models.values()].flatMap((model) => {
    for (const [agent, { asked: requests }] of tally.asked) model.credit?.(agent, requests)
    return model.report?.() ?? []
  })
  return runResult({ team, run, task, tally, shortfall, output, unused, duration_ms: elapsed(started, clock.now()) })
}

/** The settings are watched for as long as it goes on. */
async function outcomeOf({ ended }: RunningTeam, { settings }: Opened): Promise<TeamEnding> {
  try {
    return await ended
  } finally {
    await settings.close()
  }
}

/** Opens a run, and settles the task of a new one. */
async function begin(frame: RunFrame & RunPlan, options: RunTeamOptions, signal: AbortSignal) {
  const opened = await open(frame, options)
  const task = frame.clarifies ? await clarifiedTask(frame.team, options.task, { ...options, signal }) : options.task
  if (task !== options.task) frame.run.writeTask(task)
  return [opened, task] as const
}

type Policies = Pick<RunContext, 'policy' | 'workplace' | 'trusted'> & { readonly settings: LiveSettings }
type Opened = OpenedModels &
  Policies &
  Pick<RunContext, 'tools' | 'mcp' | 'skills' | 'hooks'> & { readonly approvals: Approvals }

async function open(frame: RunFrame & RunPlan, options: RunTeamOptions): Promise<Opened> {
  const { team, run, clock, cwd, traceparent } = frame
  const { env = process.env, providers } = options
  const { servers } = settingsModels({ cwd, home: homeOf(options), policyRoot: options.policyRoot })
  await refuseUnknown(team, { ...options, servers })
  const home = homeOf(options)
  const place = { dir: run.dir, run: run.id, team, cwd, home, env, clock, providers }
  const policies = await openPolicies(frame, options)
  const current = policies.settings.current()
  const asked = current.classifier === null ? options : { classifier: current.classifier, ...options }
  const tools = await openTeamTools(team, { trusted: current.trusted, env, given: options.tools })
  return {
    ...policies,
    tools,
    hooks: teamHooks(team, policies.settings, { program: options.hooks, plugins: () => pluginHooks(home) }),
    skills: await skillsOf(team, () => policies.settings.current().trusted),
    mcp: await mcpOf(team, { run, home, env: childEnv(env), policyRoot: options.policyRoot, traceparent }),
    ...(await openModels(team, { env, home, providers, clock, dir: run.dir, servers: serversOf(team, current) })),
    approvals: await openApprovals(place, asked),
  }
}

/** Permissions of the members, as the settings say at each moment. No file is watched before the team has started. */
async function openPolicies({ team, cwd, run }: RunFrame, options: RunTeamOptions): Promise<Policies> {
  const { mode, rules, trusted, policyRoot, allowBypass: bypass } = options
  const [home, flags] = [homeOf(options), { ...rules, mode, bypass }]
  const settings = await openSettings({ cwd, home, policyRoot, team, trusted, flags })
  const places = await teamPlaces(team, cwd)
  const workplace = await workplacesOf(team, { cwd, run: run.id, env: options.env ?? process.env })
  const readable = [run.artifacts]
  const policy = teamPolicies(team, { cwd, home, places, settings: settings.current, readable, workplace })
  return { settings, policy, workplace, trusted: () => settings.current().trusted }
}

export function homeOf({ home, env = process.env }: Pick<RunTeamOptions, 'home' | 'env'>): string {
  return home ?? env['HOME'] ?? '/'
}

function contextOf(frame: RunFrame & RunPlan, options: RunTeamOptions, opened: Opened): RunContext {
  const { env = process.env, mail = {} } = options
  return {
    ...frame,
    ...opened,
    roster: frame.team.members.map(({ name }) => name),
    home: homeOf(options),
    env: childEnv(env),
    executors: options.executors ?? {},
    middleware: options.middleware,
    ownEnv: env,
    doorbell: createDoorbell(),
    breakers: openBreakers(frame.clock),
    nesting: nestingOf(env, frame.team),
    budgets: openBudgets({ team: frame.team, now: frame.clock.now, earlier: frame.earlier.recorded }),
    box: runMail({ ...frame, mail }),
    deliverability: deliverability(frame.facts, frame.earlier.recorded),
    seal: sealOf(readRunKey(homeOf(options), frame.run.id)),
    live: livePlace({ dir: frame.run.dir, owner: leaderName, env }),
  }
}
