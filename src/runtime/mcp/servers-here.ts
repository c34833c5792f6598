import { systemClock } from '../actors/clock.ts'
import { connectServer, LoginNeeded, type ServerConnection } from '../../adapters/mcp/client/connect.ts'
import { connectWithLogin, type LoginPerson } from '../../adapters/mcp/client/login.ts'
import { authOf } from '../../adapters/mcp/client/oauth.ts'
import { loginFile } from '../../adapters/mcp/client/token-file.ts'
import { serversFound } from '../plugins/found-servers.ts'
import { rememberListing, seenKey } from '../../adapters/mcp/config/seen-listings.ts'
import { childEnv } from '../../adapters/process/child-env.ts'
import { readTrust, workspaceOf } from '../../adapters/settings/trust-file.ts'
import type { McpState } from '../../protocol/mcp/listing.ts'
import type { McpServerSpec, ScopedServer } from '../../protocol/mcp/server-spec.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { expandServer } from '../../rules/mcp/expand-variables.ts'
import { chooseServers, needsTrust, serverGrant } from '../../rules/mcp/server-scopes.ts'
import { isTrusted } from '../../rules/settings/settings-trust.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'

/** Where somebody asks for servers. */
export interface ServersPlace {
  readonly cwd: string
  readonly home: string
  readonly policyRoot?: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
  readonly version: string
}

/** A server that counts here, and whether it may be started. */
export interface ServerHere extends ScopedServer {
  readonly trusted: boolean
}

/**
 * Lists the servers that count in a directory, those of a team among them.
 * @returns what is wrong with files in `problems`, what became of entries that do not count in `notes`
 */
export function serversHere(
  { cwd, home, policyRoot = systemPolicyRoot }: Omit<ServersPlace, 'env' | 'version'>,
  team?: Pick<ResolvedTeam, 'mcp_servers'>,
) {
  const { servers: found, managed, problems } = serversFound({ cwd, home, policyRoot })
  const own = Object.entries(team?.mcp_servers ?? {}).map(([name, server]): ScopedServer => ({ name, ...server }))
  const { servers, notes } = chooseServers([...found, ...own.filter(({ scope }) => scope === 'team')], managed)
  const trust = readTrust(home).trust.get(workspaceOf(cwd, home)) ?? []
  const here = servers.map((server): ServerHere => ({
    ...server,
    trusted: !needsTrust(server) || isTrusted(trust, serverGrant(server.name, server.spec)),
  }))
  return { servers: here, notes, problems }
}

/** A connection that a person asked for, outside of any run. */
export interface PersonsConnection extends Pick<ServerConnection, 'ask' | 'close' | 'listing'> {
  readonly spec: McpServerSpec
}

/**
 * Connects to one server for a person: with their browser where there is one, and otherwise with the login that they have.
 * @throws what stands in the way, in words for people
 */
export async function connectHere(
  { name, spec: written }: Pick<ServerHere, 'name' | 'spec'>,
  place: ServersPlace,
  { person, signal }: { readonly person?: LoginPerson; readonly signal: AbortSignal },
): Promise<PersonsConnection> {
  const expanded = expandServer(written, place.env)
  if ('missing' in expanded)
    throw new Error(`${name} needs ${expanded.missing.map((each) => `$${each}`).join(', ')}, which is not set`)
  const { spec } = expanded
  const { cwd, home, env, version } = place
  const refuses = () => Promise.resolve({ refusal: 'nobody is there to ask' })
  const own = childEnv(env)
  const options = { cwd, env: own, version, roots: [cwd], signal, question: refuses }
  const file = spec.url === undefined ? null : await loginFile({ home, env: own }, spec.url)
  const connection =
    person !== undefined && file !== null
      ? await connectWithLogin(spec, { ...options, file, state: mintState() }, person)
      : await connectServer(spec, { ...options, ...authOf(spec, file) })
  rememberListing(home, seenKey(name, written), connection.listing)
  return { ...connection, spec }
}

/** A word that nobody can guess: the random parts of two names. */
function mintState(): string {
  return systemClock().mint() + systemClock().mint()
}

/** The outcome of a look at one server. */
export interface ServerLook {
  readonly name: string
  readonly state: McpState
  readonly tools: number
  readonly warnings: readonly string[]
  /** Why it is not connected. */
  readonly reason: string | null
}

/** Connects to a server, asks what it offers and leaves. Nothing is thrown for what goes wrong. */
export async function lookAtServer(server: ServerHere, place: ServersPlace): Promise<ServerLook> {
  const { name, spec, trusted, file } = server
  const nothing = { name, tools: 0, warnings: [] }
  if (spec.disabled === true) return { ...nothing, state: 'disabled', reason: `it is switched off in ${file}` }
  if (!trusted) return { ...nothing, state: 'failed', reason: 'nobody trusted it yet (troupe trust, or --trust)' }
  try {
    const { listing, close } = await connectHere(server, place, { signal: new AbortController().signal })
    await close()
    return { name, state: 'connected', tools: listing.tools.length, warnings: listing.warnings, reason: null }
  } catch (error) {
    return { ...nothing, state: error instanceof LoginNeeded ? 'needs-auth' : 'failed', reason: errorText(error) }
  }
}
