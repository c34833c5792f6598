import type { FoundServers } from '../../adapters/mcp/config/read-servers.ts'
import { serversFound } from '../plugins/found-servers.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { chooseServers } from '../../rules/mcp/server-scopes.ts'
import { serverOf } from '../../rules/mcp/tool-names.ts'
import { systemPolicyRoot } from '../runs/policy-root.ts'

interface ServerSources {
  readonly cwd: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly mcp?: () => FoundServers
}

/**
 * The team with the MCP servers that its members name, of whichever file they are: what ran can be run again although the
 * other files changed. Files are read only when somebody names a server.
 */
export function withServers<Team extends UnhashedTeam>(
  given: Team | undefined,
  sources: ServerSources,
): { readonly team: Team | undefined; readonly notes: readonly Diagnostic[] } {
  if (given === undefined) return { team: given, notes: [] }
  const { mcp_servers: own = {}, ...rest } = given
  const named = new Set(given.members.flatMap(({ tools }) => tools.flatMap((tool) => serverOf(tool) ?? [])))
  if (named.size === 0) return { team: rest as unknown as Team, notes: [] }
  const ofTeam = Object.entries(own).map(([name, server]): ScopedServer => ({ name, ...server }))
  const { servers: found, managed, problems } = (sources.mcp ?? elsewhere(sources))()
  const { servers, notes } = chooseServers([...found, ...ofTeam], managed)
  const wanted = servers.filter(({ name }) => named.has(name)).map(({ name, ...server }) => [name, server] as const)
  const unused = notes.filter((note) => named.has(note.slice(0, note.indexOf(' '))))
  const warn = (file: string, message: string): Diagnostic => ({
    severity: 'warning',
    code: 'mcp_servers',
    message,
    file,
    line: 1,
    column: 1,
  })
  const told = [
    ...problems.map(({ file, message }) => warn(file, message)),
    ...unused.map((note) => warn(given.file, note)),
  ]
  return { team: { ...rest, mcp_servers: Object.fromEntries(wanted) } as unknown as Team, notes: told }
}

function elsewhere({ cwd, env = {} }: ServerSources): () => FoundServers {
  return () => serversFound({ cwd, home: env['HOME'] ?? cwd, policyRoot: systemPolicyRoot })
}
