import type { MemberCard } from '../../protocol/team/team-card.ts'
import { modelsOf } from './model-problems.ts'
import { cardPath, nameHint, type TeamProblem } from './team-problem.ts'

/** Where members can be run, and what cannot be had everywhere. */
export interface KnownPlaces {
  readonly executors: readonly string[]
  /** Tools and providers that the program of the leader brings along: no other process has them. */
  readonly local: { readonly tools: readonly string[]; readonly providers: readonly string[] }
}

/** A member is never run elsewhere than its card says, nor where it would lack something: what cannot be done is refused. */
export function placeProblems(member: MemberCard, { executors, local }: KnownPlaces): readonly TeamProblem[] {
  const { executor, tools, card } = member
  const path = [...cardPath(member), 'executor']
  const wrong = { severity: 'error', path } as const
  if (!executors.includes(executor)) {
    const message = `there is no executor "${executor}"`
    return [{ ...wrong, code: 'unknown_executor', message, hint: nameHint(executor, executors) }]
  }
  // The place that `auto` comes to is known when the run begins.
  if (executor === 'in-process' || executor === 'auto') return []
  const models = modelsOf(member).filter((model) => local.providers.includes(model.split('/', 1)[0] ?? ''))
  return [...tools.filter((tool) => local.tools.includes(tool)), ...models].map((part) => {
    const message = `"${card}" is to run in ${executor}, where there is no ${part}: only the program that runs the team has it`
    return { ...wrong, code: 'not_there', message, hint: 'run it in-process' }
  })
}
