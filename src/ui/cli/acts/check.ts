import { judgeTeamFile } from '../../../runtime/team-files/load-team.ts'
import { diagnosticsText } from '../text/diagnostics-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { print, printJson, type Host } from '../host/host.ts'
import { plainText } from '../../text/terminal-text.ts'

export interface CheckOptions {
  readonly model?: string | undefined
  readonly json?: true | undefined
}

/** Checks team files; 2 when one of them has an error, warnings alone are no failure. */
export async function check(teams: readonly string[], options: CheckOptions, host: Host): Promise<ExitCode> {
  const model = options.model === undefined ? {} : { model: options.model }
  const read = await Promise.all(
    teams.map((team) => judgeTeamFile(teamFileOf(team, host.cwd), { cwd: host.cwd, env: host.env, ...model })),
  )
  const diagnostics = read.flatMap((result) => result.diagnostics)
  const ok = diagnostics.every(({ severity }) => severity !== 'error')
  if (options.json) await printJson(host.stdout, { ok, diagnostics })
  else await print(host.stdout, humanText(teams, diagnostics, host.cwd))
  return ok ? exitCodes.done : exitCodes.usage
}

function humanText(teams: readonly string[], diagnostics: Parameters<typeof diagnosticsText>[0], cwd: string): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const list = diagnostics.length > 0 ? `${plainText(diagnosticsText(diagnostics, cwd))}\n` : ''
  return `${list}${teams.length} checked: ${errors} error(s), ${warnings} warning(s)\n`
}
