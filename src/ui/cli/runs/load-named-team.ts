import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { settingsModels } from '../../../runtime/settings/load-rules.ts'
import { loadTeam } from '../../../runtime/team-files/load-team.ts'
import type { Host } from '../host/host.ts'
import { teamFileOf } from './find-team.ts'

/**
 * Loads a team that is looked at only; where it names no model, any will do, as none is asked.
 *
 * @param cwd Where the team will work; absolute.
 * @throws for a team that is not there, or whose file has mistakes
 * @example (await loadNamedTeam('review', host)).members
 */
export async function loadNamedTeam(team: string, host: Host, cwd = host.cwd): Promise<ResolvedTeam> {
  const { env, home, policyRoot } = host
  return loadTeam(teamFileOf(team, host), {
    cwd: host.cwd,
    env,
    model: env['TROUPE_MODEL'] ?? 'scripted/none',
    ...settingsModels({ cwd, home, policyRoot }),
  })
}
