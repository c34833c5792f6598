import { ofProject, type Hook, type HookSource } from '../../protocol/hooks/hook.ts'
import type { SettingsLayer } from '../../protocol/permissions/settings.ts'

type Part = Pick<SettingsLayer, 'hooks' | 'hookSwitches'> & {
  readonly place: Pick<SettingsLayer['place'], 'source'>
}

const ofPerson = [...ofProject, 'user', 'plugin', 'program'] as const

/** The sources whose hooks a switch in a file of each source turns off: nobody turns off what a stronger one wants. */
const reach: Readonly<Record<SettingsLayer['place']['source'], Iterable<HookSource>>> = {
  policy: ['policy', ...ofPerson],
  user: ofPerson,
  project: ofProject,
  local: ofProject,
}

/**
 * The hooks that run, given the trusted parts of all files, in their order. Files of a project cannot turn off a person's own
 * hooks, and nobody but the managed policy turns off its hooks.
 */
export function hooksInForce(layers: readonly Part[]): readonly Hook[] {
  const off = switchedOff(layers)
  return layers.flatMap(({ hooks }) => hooks).filter(({ source }) => !off.has(source))
}

/** The sources whose hooks are turned off. */
export function switchedOff(layers: readonly Part[]): ReadonlySet<HookSource> {
  const off = new Set<HookSource>()
  for (const { place, hookSwitches } of layers) {
    if (hookSwitches.disableAll) for (const source of reach[place.source]) off.add(source)
    if (hookSwitches.managedOnly) for (const source of reach.user) off.add(source)
  }
  return off
}
