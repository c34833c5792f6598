import {
  coordinatorSchema,
  type CoordinatorFile,
  type GatherPolicy,
  type MemberCard,
  type ResolvedTeam,
  type TeamFile,
  type WorkerFile,
} from '../../protocol/team-card.ts'
import type { TeamProblem } from '../../rules/team-problem.ts'
import { teamHash } from './team-hash.ts'

/** A team file with every `from:` already merged in. */
export interface TeamParts {
  readonly team: TeamFile
  readonly coordinator: CoordinatorFile
  readonly workers: Readonly<Record<string, WorkerFile>>
}

const maxNameLength = 64
const noModelHint =
  'write "model: provider/model", give --model provider/model, or set TROUPE_MODEL; the quickstart team needs none'

/**
 * Fills in defaults, inherits models, expands replicas and takes the hash.
 *
 * @param model replaces every model in the file when given
 * @param file absolute path of the team file
 */
export function resolveTeam(
  parts: TeamParts,
  file: string,
  model?: string,
): { readonly team: ResolvedTeam; readonly problems: readonly TeamProblem[] } {
  const { team, coordinator } = parts
  const lead = coordinator.name ?? 'lead'
  const modelOf = (card: WorkerFile): string => model ?? card.model ?? team.model ?? ''
  const members: MemberCard[] = [
    { ...memberCard(coordinator, modelOf(coordinator)), name: lead, card: lead, role: 'coordinator' },
    ...Object.entries(parts.workers).flatMap(([card, worker]) =>
      replicaNames(card, worker.replicas ?? 1).map((name): MemberCard => ({
        ...memberCard(worker, modelOf(worker)),
        name,
        card,
        role: 'worker',
      })),
    ),
  ]
  const resolved = {
    name: team.name,
    description: team.description ?? '',
    budget: team.budget ?? {},
    partition: team.partition ?? 'enforced',
    scope: team.scope ?? [],
    permissions: team.permissions ?? {},
    gather: gatherPolicy(coordinator.gather ?? {}),
    coordinator: lead,
    members,
  }
  return {
    team: { ...resolved, file, hash: teamHash(resolved) },
    problems: [
      ...nameProblems(members),
      ...coordinatorProblems(coordinator),
      ...workerProblems(parts),
      ...modelProblems(members),
    ],
  }
}

function memberCard(card: WorkerFile, model: string): Omit<MemberCard, 'name' | 'card' | 'role'> {
  return {
    description: card.description ?? '',
    prompt: card.prompt ?? '',
    tools: card.tools ?? [],
    model,
    permissions: card.permissions ?? {},
    budget: card.budget ?? {},
    executor: card.executor ?? 'in-process',
    isolation: card.isolation ?? 'none',
    restart: card.restart ?? 'on-crash',
    max_turns: card.max_turns ?? 40,
  }
}

function gatherPolicy(gather: NonNullable<CoordinatorFile['gather']>): GatherPolicy {
  return {
    wait: gather.wait ?? 'all',
    timeout_ms: durationMs(gather.timeout ?? '10m'),
    retry: gather.on_failure?.retry ?? 1,
    then: gather.on_failure?.then ?? 'continue',
  }
}

/** `durationMs('10m')` → 600000; the text has passed `durationSchema`. */
export function durationMs(text: string): number {
  const unit = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }[text.replace(/^\d+/, '')] ?? 1
  return Number.parseInt(text, 10) * unit
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

/** A coordinator may take a worker's card, but not the keys that only a worker has. */
function coordinatorProblems(coordinator: CoordinatorFile): readonly TeamProblem[] {
  const foreign = Object.keys(coordinator).filter((key) => !Object.hasOwn(coordinatorSchema.shape, key))
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
