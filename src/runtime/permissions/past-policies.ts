import { builtinTools } from '../../adapters/tools/registry.ts'
import { placesOfPrograms } from '../../adapters/fs/program-places.ts'
import { realPaths } from '../../adapters/fs/real-paths.ts'
import { readRunFile, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { pastCalls, type PastCall } from '../../projections/member/past-calls.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import { analyse } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/followed-paths.ts'
import type { Action } from '../../rules/permissions/action.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { ownPlace } from '../actors/own-place.ts'
import { policyOf } from '../settings/policy.ts'
import { teamPlaces } from '../settings/team-places.ts'
import type { SettingsOptions } from '../settings/load-rules.ts'

/** A past call as it is judged now: on the disk as it is, from the directory in which the run worked. */
export interface JudgedCall {
  readonly run: string
  readonly call: PastCall
  readonly action: Action
  /** The policy that its member would have now. */
  readonly policy: Policy
}

/** Where past calls are judged again, and the settings that a run of these options would have. */
export interface PastPlace {
  readonly home: string
  readonly policyRoot: string
  settings(options: SettingsOptions): Promise<Settings>
}

/**
 * The calls of a run with the policies that its members would have under the settings that are given.
 *
 * @throws Error where the directory holds no run
 */
export async function judgedCalls(
  dir: string,
  { home, policyRoot, settings: load }: PastPlace,
): Promise<readonly JudgedCall[]> {
  const file = readRunFile(dir)
  if (!file) throw new Error(unreadableRun(dir))
  const { team, cwd, run, launch = {} } = file
  const { mode, rules, trusted = false, allowBypass: bypass } = launch
  const flags = { ...rules, mode, bypass }
  const settings = await load({ cwd, home, policyRoot, trusted, flags })
  const places = await teamPlaces(team, cwd)
  const policies = new Map(
    team.members.map((card) => [card.name, policyOf(team, card, { cwd, home, settings, places })]),
  )
  const disk = realPaths()
  return pastCalls(recordOfRun(dir).recorded).flatMap((call) => {
    const policy = policies.get(call.member)
    if (policy === undefined) return []
    const { tool, input } = call
    const harmless = builtinTools.find(({ name }) => name === tool)?.effect === 'none'
    const searched = placesOfPrograms(policy, ownPlace.env['PATH'])
    return [{ run, call, policy, action: followPaths(analyse({ tool, input, harmless, cwd, home, searched }), disk) }]
  })
}
