import type { Hook } from '../../protocol/hooks/hook.ts'
import type { CoordinatorFile, MemberCard, TeamFile, WorkerFile } from '../../protocol/team/team-card.ts'
import { readHooks } from '../../rules/hooks/read-hooks.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'

/** The parts of a team file that may hold hooks. */
interface HookedParts {
  readonly team: Pick<TeamFile, 'hooks'>
  readonly coordinator: Pick<CoordinatorFile, 'hooks'>
  readonly workers: Readonly<Record<string, Pick<WorkerFile, 'hooks'>>>
}

/** The hooks of a team or of a card; they say nothing of the file's place, so that equal teams have one hash. */
export function hooksOf(
  { hooks: table }: Pick<TeamFile, 'hooks'>,
  source: 'team' | 'member',
  { safety = false }: Pick<TeamFile, 'safety'>,
): Pick<MemberCard, 'hooks'> {
  const at = (path: readonly (string | number)[]): string => `${source}: ${path.join('.')}`
  const { hooks } = readHooks(table, { source, failsClosed: safety, at })
  return hooks.length === 0 ? {} : { hooks: hooks.flatMap(written) }
}

function written(hook: Hook): NonNullable<MemberCard['hooks']> {
  const { spec } = hook
  return spec.type === 'function' ? [] : [{ ...hook, spec }]
}

/** Matchers and conditions of hooks that say nothing. */
export function hookProblems({ team, coordinator, workers }: HookedParts): readonly TeamProblem[] {
  const tables = [
    { path: [], table: team.hooks },
    { path: ['coordinator'], table: coordinator.hooks },
    ...Object.entries(workers).map(([name, { hooks }]) => ({ path: ['workers', name], table: hooks })),
  ]
  return tables.flatMap(({ path, table }) =>
    readHooks(table, { source: 'team', at: String }).complaints.map(({ path: below, ...wrong }): TeamProblem => {
      const severity = wrong.code === 'never_fires' ? 'warning' : 'error'
      return { severity, ...wrong, code: wrong.code ?? 'hook_unusable', path: [...path, ...below] }
    }),
  )
}
