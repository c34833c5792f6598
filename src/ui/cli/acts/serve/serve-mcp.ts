import { serveTeams } from '../../../../gateways/mcp/serve-teams.ts'
import { settingsModels } from '../../../../runtime/settings/load-rules.ts'
import { loadTeam } from '../../../../runtime/team-files/load-team.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import type { Flags, Host } from '../../host/host.ts'
import { teamFileOf } from '../../runs/find-team.ts'
import { warnUnfenced } from '../../runs/warn-unfenced.ts'

/** Offers teams to an MCP client until it leaves. */
export async function serveMcp({ allowAnswers }: Flags<'allowAnswers'>, host: Host): Promise<ExitCode> {
  const { cwd, home, env, policyRoot, version } = host
  await warnUnfenced(cwd, host)
  await serveTeams({
    cwd,
    home,
    env,
    policyRoot,
    version,
    allowAnswers: allowAnswers === true,
    load: (team) => loadTeam(teamFileOf(team, host), { cwd, env, ...settingsModels(host) }),
  })
  return exitCodes.done
}
