import { createDoorbell } from '../../adapters/mailbox/watch/doorbell.ts'
import { sealOf } from '../../adapters/mailbox/files/read-mail.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { latestOrders } from '../../adapters/sessions/orders.ts'
import type { RunDirectory } from '../../adapters/sessions/run-directory.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { Orders } from '../../protocol/work/orders.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { broadcast } from '../actors/broadcast.ts'
import { openBudgets, type Budgets } from '../budget/budgets.ts'
import { childEnv } from '../../adapters/process/child-env.ts'
import type { Clock } from '../actors/clock.ts'
import { noPast } from '../runs/earlier-run.ts'
import { openApprovals, type Approvals, type ApprovalsPlace } from '../permissions/approvals.ts'
import { runMail } from '../context/mail-options.ts'
import { nestingOfWorker } from '../runs/nesting.ts'
import { openModels, serversOf } from '../models/open-models.ts'
import { openBreakers } from '../recovery/breakers.ts'
import type { Delta } from '../agent/agent-deps.ts'
import { givenHooks } from '../hooks/run-hooks.ts'
import { skillsOf } from '../skills/skills-of.ts'
import { mcpOf } from '../mcp/mcp-of.ts'
import { openTeamTools } from '../team-files/team-tools.ts'
import type { RunContext } from '../context/run-context.ts'
import { deliverabilityOnDisk } from '../context/deliverability.ts'

/** The contents of the run directory for one worker, and the environment of its process. */
export interface WorkerContextOptions {
  readonly run: RunDirectory
  readonly runFile: RunFile
  readonly orders: Orders
  readonly card: MemberCard
  readonly env: Readonly<Record<string, string | undefined>>
  /** Where the worker's live socket is. */
  readonly live: RunContext['live']
  readonly clock: Clock
}

/** The context of a process in which one worker lives: only its own model is opened, its policy is the one it is given. */
export async function workerContext(plan: WorkerContextOptions): Promise<RunContext> {
  const { run, runFile, orders, card, env, live, clock } = plan
  const { team, cwd, launch: { traceparent } = {} } = runFile
  const [{ dir }, { home }] = [run, orders]
  const place = { dir, run: run.id, team, cwd: orders.manifest.cwd, home, env, clock }
  return {
    ...(await openModels({ ...team, members: [card] }, { env, home, clock, dir, servers: serversOf(team, orders) })),
    team,
    roster: team.members.map(({ name }) => name),
    run,
    clock,
    cwd,
    workplace: () => ({ cwd: orders.manifest.cwd, tree: null }),
    home,
    env: childEnv(env),
    ownEnv: env,
    chosen: [],
    executors: {},
    earlier: noPast,
    tools: await openTeamTools(team, { trusted: orders.trusted, env }),
    skills: await skillsOf({ members: [card] }, () => orders.trusted),
    mcp: await mcpOf(team, { run, home, env: childEnv(env), traceparent }),
    policy: followPolicy(dir, orders),
    settings: null,
    ...ordered(team, orders),
    approvals: await approvalsOf(place, orders),
    doorbell: createDoorbell(),
    breakers: openBreakers(clock),
    nesting: nestingOfWorker(env),
    budgets: budgetsOf(plan),
    box: runMail({ run, team, clock, mail: {}, traceparent }),
    deliverability: deliverabilityOnDisk(dir),
    seal: sealOf(readRunKey(home, run.id)),
    live,
    facts: broadcast<Recorded>(),
    deltas: broadcast<Delta>(),
    distant: broadcast<Delta>(),
    room: () => Promise.resolve(),
  }
}

/**
 * The policy that a worker obeys: its leader's latest word at the moment of asking. A notification would come too late
 * for a call that is judged just now.
 */
function followPolicy(dir: string, { member, incarnation, policy }: Orders): RunContext['policy'] {
  const latest = latestOrders(dir, member)
  return () => {
    const now = latest()
    return now?.incarnation === incarnation ? now.policy : policy
  }
}

/** The hooks of a worker, and what of the workspace is trusted: as they were when it began. */
function ordered(team: ResolvedTeam, { trusted, providers, ...orders }: Orders): Pick<RunContext, 'hooks' | 'trusted'> {
  return { trusted: () => trusted, hooks: givenHooks(orders, [team.providers, providers]) }
}

/**
 * The budgets of a worker: its earlier lives count as spent, and its lease is all that it has of the team's budget.
 * Its own minutes count from the moment at which a person opened the run again, which the team's journal says.
 */
function budgetsOf({ run, runFile, orders, card, clock }: WorkerContextOptions): Budgets {
  const owners = card.budget.minutes === undefined ? [card.name] : [card.name, leaderName]
  const earlier = owners.flatMap((owner) =>
    readJournal(run.journalFile(owner)).entries.map((entry) => ({ owner, entry })),
  )
  return openBudgets({ team: runFile.team, now: clock.now, earlier, lease: orders.lease ?? unlimited })
}

const unlimited = { usd: null, tokens: null, turns: null, rests: 0 }

/** The worker waits for an answer file, whoever writes it: the leader's process or any other one. */
async function approvalsOf(place: ApprovalsPlace, { questions }: Orders): Promise<Approvals> {
  const { reachable, wait_ms, classifier } = questions
  return { ...(await openApprovals(place, classifier === null ? {} : { classifier })), reachable, waitMs: wait_ms }
}
