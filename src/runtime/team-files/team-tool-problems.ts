import { knownTools } from '../../adapters/tools/known-tools.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { HttpToolCard } from '../../protocol/team/team-tools.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { sentBy } from '../../rules/settings/settings-trust.ts'
import type { TeamProblem } from '../../rules/team/team-problem.ts'

/** Names of the tools that a team brings along. */
export function ownToolNames(team: UnhashedTeam): readonly string[] {
  return [...Object.keys(team.http_tools ?? {}), ...(team.code_tools ?? []).map(({ name }) => name)]
}

/** The faults of the tools that a team brings along: names that are taken, by `given` ones too, and schemas that are none. */
export async function toolDeclarationProblems(
  team: UnhashedTeam,
  given: readonly Tool[] = [],
): Promise<readonly TeamProblem[]> {
  const taken = new Set([...(await knownTools()).tools, ...given].flatMap(({ name, aliases }) => [name, ...aliases]))
  const called = Object.entries(team.http_tools ?? {}).map(async ([name, card]): Promise<readonly TeamProblem[]> => {
    const path = ['http_tools', name]
    const wrong = await schemaFault(card)
    const sent = sentBy(name, card)
    return [
      ...(sent === null ? [] : [sendsVariables(sent, path)]),
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
  return [...(await Promise.all(called)).flat(), ...coded]
}

function sendsVariables(sent: string, path: TeamProblem['path']): TeamProblem {
  const hint = 'they are read once a person trusts that: troupe trust, or --trust'
  return { severity: 'warning', code: 'sends_variables', message: sent, path, hint }
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

async function schemaFault(card: HttpToolCard): Promise<string | null> {
  const { httpToolInput } = await import('../../adapters/tools/own/http-tool.ts')
  try {
    httpToolInput(card)
    return null
  } catch (error) {
    return errorText(error)
  }
}
