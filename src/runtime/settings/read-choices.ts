import { readRunFile } from '../../adapters/sessions/read-run.ts'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import type { PermissionMode, Policy } from '../../protocol/permissions/permission.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { nextMode, withChosenMode } from '../../rules/permissions/mode.ts'
import { loadRules, type SettingsOptions } from './load-rules.ts'
import { teamPolicies } from './policy.ts'
import { teamPlaces } from './team-places.ts'

type Place = Pick<SettingsOptions, 'home' | 'policyRoot'>

/** The policy of each member of a run, as the settings, the team and the start of the run have it now; null for no run. */
export async function runPolicies(
  dir: string,
  { home, policyRoot }: Place,
): Promise<((card: MemberCard) => Policy) | null> {
  const file = readRunFile(dir)
  if (file === null) return null
  const { team, cwd, launch = {} } = file
  const flags = { ...launch.rules, mode: launch.mode, bypass: launch.allowBypass }
  const settings = await loadRules({ cwd, home, policyRoot, flags, trusted: launch.trusted })
  return teamPolicies(team, { cwd, home, places: await teamPlaces(team, cwd), settings: () => settings })
}

/** The model and the permission mode of a member. */
export interface MemberChoices {
  readonly name: string
  readonly model: string
  readonly mode: PermissionMode
}

/**
 * The model that answers for each member of a run, and its permission mode: what a person chose for it, else what the
 * settings, the team and the start of the run say now.
 *
 * @param dir the run directory
 */
export async function readChoices(dir: string, place: Place): Promise<readonly MemberChoices[]> {
  const [file, policy] = [readRunFile(dir), await runPolicies(dir, place)]
  if (file === null || policy === null) return []
  const run = runDirectory(dir, file.team)
  return file.team.members.map((card) => {
    let { model } = card
    let chosen: PermissionMode | null = null
    journalCursor(run.journalFile(card.name)).each((entry) => {
      if (entry.type === 'model.settled') model = entry.model
      else if (entry.type === 'model.chosen' && entry.refused === undefined) model = entry.model
      else if (entry.type === 'mode.chosen' && entry.refused === undefined) chosen = entry.mode
    })
    return { name: card.name, model, mode: withChosenMode(policy(card), chosen).mode }
  })
}

/**
 * The permission mode after the present one of a member, as a person steps through them; null for no member of the run.
 * bypassPermissions is in no cycle: it is chosen by its name, and passes its gate.
 */
export async function nextChoice(dir: string, member: string, place: Place): Promise<PermissionMode | null> {
  const now = (await readChoices(dir, place)).find(({ name }) => name === member)
  return now ? nextMode(now.mode, { bypass: false }) : null
}
