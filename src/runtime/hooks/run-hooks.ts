import type { Hook } from '../../protocol/hooks/hook.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import { sentVariables } from '../../rules/settings/settings-trust.ts'

/** The hooks of a run, as one process has them. */
export interface RunHooks {
  /** The hooks that run, the strongest source first. */
  inForce(): readonly Hook[]
  /** Variables that hold keys of models: no hook is given them. */
  readonly credentials: ReadonlySet<string>
}

/** `teamHooks(team, settings)`: the hooks of a run that follows its settings. */
export function teamHooks(
  { providers }: { readonly providers?: ProviderSpecs | undefined },
  settings: { current(): Pick<Settings, 'hooks' | 'providers'> },
): RunHooks {
  return runHooks(() => settings.current().hooks, [providers, settings.current().providers])
}

/** `runHooks(() => settings.current().hooks, [team.providers])`: the hooks of a run. */
export function runHooks(inForce: () => readonly Hook[], providers: readonly (ProviderSpecs | undefined)[]): RunHooks {
  const specs = providers.flatMap((each) => Object.values(each ?? {}))
  const names = specs.flatMap(({ key, headers }) => [
    ...(typeof key === 'string' ? [key.replace(/^\$\{?|\}$/g, '')] : []),
    ...sentVariables({ headers: headers ?? {} }),
  ])
  return { inForce, credentials: new Set(names) }
}
