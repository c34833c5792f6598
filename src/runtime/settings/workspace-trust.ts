import { serversFound } from '../plugins/found-servers.ts'
import { readTrust, rememberTrust, revokeTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import type { Grant, Settings } from '../../protocol/permissions/settings.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import { chooseServers } from '../../rules/mcp/server-scopes.ts'
import { isTrusted, serverGrants, teamGrants } from '../../rules/settings/settings-trust.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'
import { grantsOfSkills } from '../skills/skills-of.ts'
import { loadRules, type SettingsOptions } from './load-rules.ts'
import { teamPlaces } from './team-places.ts'

/** The openings that a workspace asks a person to trust. */
export interface TrustQuestion {
  /** The real path of its root, under which trust is remembered. */
  readonly workspace: string
  /** The openings that are not trusted yet. */
  readonly grants: readonly Grant[]
  readonly settings: Settings
}

/**
 * Lists what the files of a workspace, and of a team that shall run in it, would open and nobody trusted yet. Without a team
 * all MCP servers of the workspace's files are among it; with one those that its members name.
 *
 * @example const { workspace, grants } = await trustQuestion({ cwd, home, policyRoot }, team)
 */
export async function trustQuestion(options: SettingsOptions, team?: ResolvedTeam): Promise<TrustQuestion> {
  const settings = await loadRules(options)
  const ofTeam = team ? teamGrants(team, await teamPlaces(team, options.cwd)) : serverGrants(serversOf(options))
  const brought = [...ofTeam, ...(await grantsOfSkills(team, options))]
  const asked = brought.filter(({ text }) => !isTrusted(settings.trusted, text))
  const grants = [...settings.untrusted, ...asked].filter(({ kind }) => kind !== 'allow' || !settings.managedOnly)
  return { workspace: workspaceOf(options.cwd, options.home), grants: once(grants), settings }
}

/** The MCP servers that count in a directory, whatever team may come to use them. */
function serversOf({ cwd, home, policyRoot = systemPolicyRoot }: SettingsOptions): readonly ScopedServer[] {
  const { servers, managed } = serversFound({ cwd, home, policyRoot })
  return chooseServers(servers, managed).servers
}

function once(grants: readonly Grant[]): readonly Grant[] {
  const first = new Map(grants.toReversed().map((grant) => [grant.text, grant]))
  return grants.filter((grant) => first.get(grant.text) === grant)
}

/**
 * Remembers that a person trusts what a workspace would open. Whatever is added later is asked about again.
 *
 * @throws when `~/.troupe/trust.json` cannot be read or written
 */
export function trustWorkspace(home: string, { workspace, grants }: Pick<TrustQuestion, 'workspace' | 'grants'>): void {
  rememberTrust(
    home,
    workspace,
    grants.map(({ text }) => text),
  )
}

/** Forgets what was trusted in the workspace of a directory; says whether there was anything. */
export function distrustWorkspace(home: string, cwd: string): { readonly workspace: string; readonly known: boolean } {
  const workspace = workspaceOf(cwd, home)
  return { workspace, known: revokeTrust(home, workspace) }
}

/** Every workspace that a person trusts, with what in it; `problem` when the file cannot be believed. */
export function trustedWorkspaces(home: string): {
  readonly workspaces: readonly { readonly path: string; readonly trusted: readonly string[] }[]
  readonly problem: string | null
} {
  const { trust, problem } = readTrust(home)
  return { workspaces: [...trust].map(([path, trusted]) => ({ path, trusted })), problem }
}
