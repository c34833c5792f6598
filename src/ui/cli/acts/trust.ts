import { settingsModels } from '../../../runtime/settings/load-rules.ts'
import { resolve } from 'node:path'
import { loadTeam } from '../../../runtime/team-files/load-team.ts'
import {
  distrustWorkspace,
  trustedWorkspaces,
  trustQuestion,
  trustWorkspace,
} from '../../../runtime/settings/workspace-trust.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { type Host, type Flags, type Values, printEither, workingDirectory } from '../host/host.ts'
import { plainLine } from '../../text/plain-text.ts'
import { UserError } from '../host/user-error.ts'
import { grantsText } from '../runs/settle-trust.ts'

export type TrustOptions = Flags<'list' | 'revoke' | 'json'> & Values<'cwd'>

/** Trusts what a workspace's files open, lists what is trusted, or forgets it. */
export async function trust(team: string | undefined, options: TrustOptions, host: Host): Promise<ExitCode> {
  if (options.list && options.revoke) throw new UserError('--list shows and --revoke takes back: give one of them')
  // Trust in a directory that is gone can still be taken back.
  const cwd = options.revoke ? resolve(host.cwd, options.cwd ?? '.') : workingDirectory(options.cwd, host)
  const said = options.list ? listed(host) : await done({ team, cwd, revoke: options.revoke === true }, host)
  await printEither(said, options, host)
  return exitCodes.done
}

interface Said {
  readonly document: unknown
  readonly text: string
}

function listed(host: Host): Said {
  const { workspaces, problem } = trustedWorkspaces(host.home)
  if (problem !== null) throw new UserError(problem, exitCodes.environment)
  const lines = workspaces.flatMap(({ path, trusted }) => [
    plainLine(path),
    ...trusted.map((text) => `  ${plainLine(text)}`),
  ])
  return { document: workspaces, text: lines.length === 0 ? 'No workspace is trusted.' : lines.join('\n') }
}

interface TrustAct {
  readonly team: string | undefined
  readonly cwd: string
  readonly revoke: boolean
}

async function done({ team, cwd, revoke }: TrustAct, host: Host): Promise<Said> {
  const { home, policyRoot, env } = host
  if (revoke) {
    const { workspace, known } = distrustWorkspace(home, cwd)
    const text = known ? `${workspace} is no longer trusted.` : `${workspace} was not trusted.`
    return { document: { workspace, revoked: known }, text: plainLine(text) }
  }
  const loaded =
    team === undefined
      ? undefined
      : await loadTeam(teamFileOf(team, host), {
          cwd: host.cwd,
          env,
          ...settingsModels(host),
        })
  const question = await trustQuestion({ cwd, home, policyRoot }, loaded)
  const { workspace, grants } = question
  if (grants.length > 0) trustWorkspace(home, question)
  const text =
    grants.length === 0
      ? `Nothing in ${plainLine(workspace)} waits for trust${team === undefined ? '; for what a team brings along, name it: troupe trust TEAM' : ''}.`
      : `${grantsText(workspace, grants)}\nIt is trusted from now on; troupe trust --revoke takes that back.`
  return { document: { workspace, trusted: grants.map(({ text: rule, at }) => ({ rule, at })) }, text }
}
