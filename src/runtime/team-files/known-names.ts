import { providers, variableOf } from '../../rules/settings/known-providers.ts'
import { knownTools } from '../../adapters/tools/known-tools.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import { executorKinds } from '../../protocol/team/executor.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { modelsOf, type WrongScript } from '../../rules/team/model-problems.ts'
import type { Known } from '../../rules/team/team-check.ts'
import type { Extensions } from '../runs/extensions.ts'
import { ownToolNames } from './team-tool-problems.ts'

/** Parts that a program adds, where credentials are looked up, and what is wrong with the scripts that a team names. */
export interface NameSources extends Extensions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly scripts?: Readonly<Record<string, WrongScript>>
  /** Servers of models that the settings name. */
  readonly servers?: () => Promise<ProviderSpecs>
}

/** Names that a team may use here: the built-in ones, those that the team itself declares, and those of the program. */
export async function knownNames(team: UnhashedTeam, sources: NameSources): Promise<Known> {
  const { env = {}, scripts = {} } = sources
  const { coordinator, ...builtIn } = await builtInNames()
  const local = namesOf(sources)
  const named = new Set([...builtIn.providers, ...local.providers, ...Object.keys(team.providers ?? {})])
  const isNamed = (model: string): boolean => model === '' || named.has(model.split('/', 1)[0] ?? model)
  // Settings are read only where a team needs them to be understood.
  const own = team.members.flatMap(modelsOf).every(isNamed) ? {} : await sources.servers?.()
  const servers = { ...own, ...team.providers }
  return {
    tools: [...builtIn.tools, ...ownToolNames(team), ...local.tools],
    coordinatorTools: coordinator,
    providers: [...builtIn.providers, ...local.providers, ...Object.keys(servers)],
    executors: [...builtIn.executors, ...local.executors],
    local,
    scripts,
    credentials: Object.fromEntries(
      [...builtIn.providers, ...Object.keys(servers)].flatMap((name) => {
        const variable = variableOf(name, servers)
        return variable === null ? [] : [[name, { variable, present: Boolean(env[variable]) }]]
      }),
    ),
  }
}

/** The parts that a program adds under names which are taken: whoever reads the team would expect the built-in ones. */
export async function takenNames(extensions: Extensions): Promise<readonly Diagnostic[]> {
  const builtIn = await builtInNames()
  const local = namesOf(extensions)
  return (['tools', 'providers', 'executors'] as const).flatMap((kind) =>
    local[kind].flatMap((name): Diagnostic[] => {
      if (!builtIn[kind].includes(name)) return []
      const place = { file: kind, line: 1, column: 1, path: `${kind}.${name}` }
      const wrong = { severity: 'error', code: 'name_taken', message: `"${name}" is built in` } as const
      return [{ ...wrong, ...place, hint: 'give it another name' }]
    }),
  )
}

async function builtInNames() {
  const { tools, coordinator } = await knownTools()
  const names = { tools: tools.map(({ name }) => name), providers: providers.map(({ name }): string => name) }
  return { ...names, coordinator, executors: [...executorKinds] as readonly string[] }
}

function namesOf({ tools = [], providers: own = {}, executors = {} }: Extensions) {
  return { tools: tools.map(({ name }) => name), providers: Object.keys(own), executors: Object.keys(executors) }
}
