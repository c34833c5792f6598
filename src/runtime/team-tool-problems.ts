import { httpToolInput } from '../adapters/tools/own/http-tool.ts'
import { builtinTools } from '../adapters/tools/registry.ts'
import type { ResolvedTeam } from '../protocol/team-card.ts'
import type { TeamProblem } from '../rules/team-problem.ts'

/** Names of the tools that a team brings along. */
export function ownToolNames(team: ResolvedTeam): readonly string[] {
  return [...Object.keys(team.http_tools ?? {}), ...(team.code_tools ?? []).map(({ name }) => name)]
}

/** What is wrong with the tools that a team brings along: names that are taken, schemas that are none. */
export function toolDeclarationProblems(team: ResolvedTeam): readonly TeamProblem[] {
  const taken = new Set(builtinTools.flatMap(({ name, aliases }) => [name, ...aliases]))
  const called = Object.entries(team.http_tools ?? {}).flatMap(([name, card]): TeamProblem[] => {
    const path = ['http_tools', name]
    const wrong = schemaFault(card)
    return [
      ...(taken.has(name) ? [nameTaken(name, path)] : []),
      ...(wrong === null ? [] : [invalidInput(name, [...path, 'input'], wrong)]),
    ]
  })
  const declared = new Set(Object.keys(team.http_tools ?? {}))
  const coded = (team.code_tools ?? []).flatMap(({ name, file }): TeamProblem[] => {
    if (taken.has(name))
      return [{ ...nameTaken(name, []), severity: 'warning', hint: `${file} is not used; give it another name` }]
    return declared.has(name) ? [nameTaken(name, ['http_tools', name])] : []
  })
  return [...called, ...coded]
}

function nameTaken(name: string, path: TeamProblem['path']): TeamProblem {
  const message = `there is another tool called "${name}"`
  return { severity: 'error', code: 'tool_name_taken', message, path, hint: 'give it another name' }
}

function invalidInput(name: string, path: TeamProblem['path'], why: string): TeamProblem {
  return {
    severity: 'error',
    code: 'invalid_schema',
    message: `the input of "${name}" is no JSON Schema: ${why}`,
    path,
  }
}

function schemaFault(card: NonNullable<ResolvedTeam['http_tools']>[string]): string | null {
  try {
    httpToolInput(card)
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
