import type { McpServers } from '../../protocol/mcp/server-spec.ts'
import { mailPolicy } from '../../protocol/team/mail-policy.ts'
import { retentionPolicy } from '../../protocol/team/retention.ts'
import type {
  CoordinatorFile,
  GatherPolicy,
  MemberCard,
  TeamFile,
  UnhashedTeam,
  WorkerFile,
} from '../../protocol/team/team-card.ts'
import { durationMs } from '../../protocol/words/duration.ts'
import { answerSettings, type AnswerSettings } from '../../protocol/models/answer-settings.ts'
import { serverKeys } from '../../protocol/models/model-servers.ts'
import { modelTimeouts } from '../../protocol/models/model-timeouts.ts'
import { reservedNames } from '../../protocol/words/ids.ts'
import type { TaskPolicy } from '../../protocol/work/task.ts'
import type { CodeToolCard } from '../../protocol/team/team-tools.ts'
import { supervisionPolicy } from '../../protocol/team/supervision.ts'
import { advisorPlan } from '../../rules/team/advice.ts'
import { limitsOf } from './card-limits.ts'
import { hookProblems, hooksOf } from './team-hooks.ts'
import { withModels, type NamedModels } from './named-models.ts'
import { escalationPlan } from '../../rules/conversation/escalation.ts'
import { memoryPlan } from '../../rules/memory/memory-plan.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'
import { verifyPlan } from '../../rules/team/verification.ts'

/** A team file with every `from:` already merged in. */
export interface TeamParts {
  readonly team: TeamFile
  readonly coordinator: CoordinatorFile
  readonly workers: Readonly<Record<string, WorkerFile>>
  /** Tools that lie as code beside the file. */
  readonly codeTools?: readonly CodeToolCard[]
}

const maxNameLength = 64
const noModelHint =
  'write "model: provider/model" in the team file or in ~/.troupe/settings.json, give --model provider/model, or set TROUPE_MODEL; the quickstart team needs none'

/**
 * Fills in defaults, inherits models and expands replicas.
 *
 * @param file absolute path of the team file
 * @param named models that stand for those in the file
 */
export function resolveTeam(
  parts: TeamParts,
  file: string,
  named: NamedModels = {},
): { readonly team: UnhashedTeam; readonly problems: readonly TeamProblem[] } {
  const { team, coordinator } = parts
  const lead = coordinator.name ?? 'lead'
  const gather = gatherPolicy(coordinator.gather ?? {})
  const written: UnhashedTeam = {
    name: team.name,
    description: team.description ?? '',
    budget: team.budget ?? {},
    ...stated(team, ['prompt', 'append_prompt', 'clarify']),
    ...(team.limits ? { limits: team.limits } : {}),
    partition: team.partition ?? 'enforced',
    ...stated(team, serverKeys),
    ...(team.timeouts ? { timeouts: modelTimeouts(team.timeouts) } : {}),
    scope: team.scope ?? [],
    permissions: team.permissions ?? {},
    gather,
    mail: mailPolicy(team.mail ?? {}),
    ...statedPolicies(team, gather),
    ...(team.http_tools ? { http_tools: team.http_tools } : {}),
    ...(team.mcp_servers ? { mcp_servers: ownServers(team.mcp_servers, file) } : {}),
    ...hooksOf(team, 'team', team),
    ...(parts.codeTools?.length ? { code_tools: [...parts.codeTools] } : {}),
    coordinator: lead,
    members: membersOf(parts, lead),
    file,
  }
  const resolved = withModels(written, named)
  const { members } = resolved
  const cards = [...coordinatorProblems(coordinator), ...workerProblems(parts), ...hookProblems(parts)]
  return { team: resolved, problems: [...nameProblems(members), ...cards, ...modelProblems(members)] }
}

/** The servers of the file itself; those of other files are added by whoever knows where these lie. */
function ownServers(servers: McpServers, file: string): UnhashedTeam['mcp_servers'] {
  return Object.fromEntries(Object.entries(servers).map(([name, spec]) => [name, { spec, scope: 'team', file }]))
}

/** The policies of which a team need not say anything. */
function statedPolicies(
  { tasks, supervision, retention }: TeamFile,
  { timeout_ms }: GatherPolicy,
): Pick<UnhashedTeam, 'tasks' | 'supervision' | 'retention'> {
  return {
    ...(tasks ? { tasks: taskPolicy(tasks) } : {}),
    ...(supervision ? { supervision: supervisionPolicy(supervision, timeout_ms) } : {}),
    ...(retention ? { retention: retentionPolicy(retention) } : {}),
  }
}

function membersOf(parts: TeamParts, lead: string): MemberCard[] {
  const { team, coordinator } = parts
  const modelOf = (card: WorkerFile): string => card.model ?? team.model ?? ''
  return [
    {
      ...memberCard(coordinator, modelOf(coordinator)),
      ...thoughtOf(coordinator, team),
      ...helpOf(coordinator, team),
      ...limitsOf(coordinator, team),
      ...hooksOf(coordinator, 'member', team),
      name: lead,
      card: lead,
      role: 'coordinator',
    },
    ...Object.entries(parts.workers).flatMap(([card, worker]) =>
      replicaNames(card, worker.replicas ?? 1).map((name): MemberCard => ({
        ...memberCard(worker, modelOf(worker)),
        ...thoughtOf(worker, team),
        ...helpOf(worker, team),
        ...limitsOf(worker, team),
        ...hooksOf(worker, 'member', team),
        ...(worker.token_goal === undefined ? {} : { token_goal: worker.token_goal }),
        name,
        card,
        role: 'worker',
      })),
    ),
  ]
}

/** A card's own word goes before the team's. */
function thoughtOf(
  card: WorkerFile,
  team: TeamFile,
): Pick<MemberCard, 'fallback' | 'effort' | 'thinking'> & AnswerSettings {
  const { fallback = team.fallback, effort = team.effort, thinking = team.thinking } = card
  return {
    ...(fallback === undefined ? {} : { fallback }),
    ...(effort === undefined ? {} : { effort }),
    ...(thinking === undefined ? {} : { thinking }),
    ...answerSettings(card, team),
  }
}

function helpOf(
  { advisor, escalate, memory }: CoordinatorFile,
  team: TeamFile,
): Pick<MemberCard, 'advisor' | 'escalate' | 'memory'> {
  return {
    ...memoryPlan(memory ?? team.memory),
    ...(advisor === undefined ? {} : { advisor: advisorPlan(advisor) }),
    ...(escalate === undefined ? {} : { escalate: escalationPlan(escalate) }),
  }
}

function memberCard(card: WorkerFile, model: string): Omit<MemberCard, 'name' | 'card' | 'role'> {
  return {
    description: card.description ?? '',
    prompt: card.prompt ?? '',
    ...stated(card, ['skills', 'override_prompt', 'append_prompt']),
    tools: card.tools ?? [],
    model,
    permissions: card.permissions ?? {},
    budget: card.budget ?? {},
    executor: card.executor ?? 'in-process',
    isolation: card.isolation ?? 'none',
    restart: card.restart ?? 'on-crash',
    max_turns: card.max_turns ?? 40,
    ...(card.verify === undefined ? {} : { verify: verifyPlan(card.verify) }),
  }
}

/** The keys that have a value. */
function stated<Said extends object, Key extends keyof Said>(
  said: Said,
  keys: readonly Key[],
): Partial<Pick<Said, Key>> {
  return Object.fromEntries(keys.flatMap((key) => (said[key] === undefined ? [] : [[key, said[key]]]))) as Partial<
    Pick<Said, Key>
  >
}

function gatherPolicy(gather: NonNullable<CoordinatorFile['gather']>): GatherPolicy {
  return {
    wait: gather.wait ?? 'all',
    timeout_ms: durationMs(gather.timeout ?? '10m'),
    ...(gather.rounds === undefined ? {} : { rounds: gather.rounds }),
    retry: gather.on_failure?.retry ?? 1,
    ...(gather.on_failure?.substitute === undefined ? {} : { substitute: gather.on_failure.substitute }),
    then: gather.on_failure?.then ?? 'continue',
  }
}

function taskPolicy({ evidence, review, lease, checks }: NonNullable<TeamFile['tasks']>): TaskPolicy {
  return {
    evidence: evidence ?? [],
    review: review ?? false,
    lease_ms: durationMs(lease ?? '30m'),
    checks: checks ?? {},
  }
}

function replicaNames(card: string, replicas: number): readonly string[] {
  if (replicas === 1) return [card]
  return Array.from({ length: replicas }, (_, index) => `${card}-${index + 1}`)
}

function nameProblems(members: readonly MemberCard[]): readonly TeamProblem[] {
  const taken = new Map<string, MemberCard>()
  return members.flatMap((member): TeamProblem[] => {
    const path = ['workers', member.card]
    const other = taken.get(member.name)
    taken.set(member.name, member)
    if (reservedNames.includes(member.name)) {
      const message = `the name "${member.name}" is taken: ${reservedNames.join(', ')} stand for others than members`
      const reserved = member.role === 'coordinator' ? ['coordinator', 'name'] : path
      return [{ severity: 'error', code: 'reserved_name', message, path: reserved, hint: 'give it another name' }]
    }
    if (other) {
      const who = other.role === 'coordinator' ? 'the coordinator' : `worker "${other.card}"`
      const message = `the name "${member.name}" is already taken by ${who}`
      return [{ severity: 'error', code: 'duplicate_name', message, path, hint: 'every member needs its own name' }]
    }
    if (member.name.length <= maxNameLength) return []
    const message = `the name "${member.name}" is longer than ${maxNameLength} characters`
    return [{ severity: 'error', code: 'invalid_name', message, path }]
  })
}

const workerKeys: Readonly<Record<Exclude<keyof WorkerFile, keyof CoordinatorFile>, true>> = {
  executor: true,
  isolation: true,
  restart: true,
  replicas: true,
  token_goal: true,
  verify: true,
}

/** A coordinator may take a worker's card, but not the keys that only a worker has. */
function coordinatorProblems(coordinator: CoordinatorFile): readonly TeamProblem[] {
  const foreign = Object.keys(coordinator).filter((key) => Object.hasOwn(workerKeys, key))
  if (foreign.length === 0) return []
  const message = `the coordinator's card sets ${foreign.join(', ')}, which only a worker has`
  return [{ severity: 'error', code: 'unknown_key', message, path: ['coordinator', 'from'] }]
}

function workerProblems(parts: TeamParts): readonly TeamProblem[] {
  return Object.entries(parts.workers).flatMap(([name, worker]): TeamProblem[] => {
    const doubtful = (code: string, key: string, message: string): TeamProblem => ({
      severity: 'warning',
      code,
      message: `worker "${name}" ${message}`,
      path: ['workers', name, key],
    })
    if (worker.prompt === undefined && worker.description === undefined) {
      const problem = doubtful('missing_prompt', 'prompt', 'has neither a prompt nor a description')
      return [{ ...problem, severity: 'error', hint: 'write prompt: or from: a card' }]
    }
    const unexplained = worker.description === undefined
    const bare = worker.tools === undefined && worker.from !== undefined
    return [
      ...(unexplained
        ? [doubtful('no_description', 'description', 'has no description: the coordinator cannot know what it is for')]
        : []),
      ...(bare ? [doubtful('no_tools', 'tools', 'has no tools: its card names none, and none are implied')] : []),
    ]
  })
}

function modelProblems(members: readonly MemberCard[]): readonly TeamProblem[] {
  const without = members.filter(({ model }) => model === '').map(({ name }) => name)
  if (without.length === 0) return []
  const whom = without.length === members.length ? 'the team' : without.join(', ')
  const message = `no model is set for ${whom}`
  return [{ severity: 'warning', code: 'no_model', message, path: ['model'], hint: noModelHint }]
}
