import { readRunFile } from '../../adapters/sessions/read-run.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import { loadRules, type SettingsOptions } from './load-rules.ts'
import { teamPolicies } from './policy.ts'
import { teamPlaces } from './team-places.ts'

/**
 * The permission mode of each member of a run, as the settings, the team and the start of the run have it now.
 *
 * @param dir the run directory
 */
export async function readModes(
  dir: string,
  { home, policyRoot }: Pick<SettingsOptions, 'home' | 'policyRoot'>,
): Promise<readonly { readonly name: string; readonly mode: PermissionMode }[]> {
  const file = readRunFile(dir)
  if (file === null) return []
  const { team, cwd, launch = {} } = file
  const flags = { ...launch.rules, mode: launch.mode, bypass: launch.allowBypass }
  const settings = await loadRules({ cwd, home, policyRoot, flags, trusted: launch.trusted })
  const policy = teamPolicies(team, { cwd, home, places: await teamPlaces(team, cwd), settings: () => settings })
  return team.members.map((card) => ({ name: card.name, mode: policy(card).mode }))
}
