import { detachTeam, NotDetached, type DetachTeamOptions } from '../../../runtime/run/detach-team.ts'
import type { ResolvedTeam } from '../../../protocol/team/team-card.ts'
import { plainText } from '../../text/terminal-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'

export interface DetachOptions {
  readonly json?: true | undefined
}

/** Starts a run whose leader has no terminal, and says on stdout which run it is. */
export async function detach(
  { team, json }: DetachOptions & { readonly team: ResolvedTeam },
  options: DetachTeamOptions,
  host: Host,
): Promise<ExitCode> {
  try {
    const { id, dir, pid, log, looks } = await detachTeam(team, options)
    const line = json ? JSON.stringify({ run: id, run_dir: dir, pid, log }, null, 2) : id
    await print(host.stdout, `${line}\n`)
    const ways = [`troupe logs -f ${id}`, 'troupe ps', `troupe stop ${id}`, ...looks]
    await print(host.stderr, `It goes on by itself. ${ways.join(' · ')}\n`)
    return exitCodes.done
  } catch (error) {
    if (error instanceof NotDetached)
      throw new UserError(`its leader ended before it led:\n${plainText(error.message)}`)
    throw error
  }
}
