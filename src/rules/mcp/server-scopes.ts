import { mcpScopes, type McpScope, type McpServerSpec, type ScopedServer } from '../../protocol/mcp/server-spec.ts'

/** The servers that count, and what became of the others in words for people. */
export interface ServerChoice {
  readonly servers: readonly ScopedServer[]
  readonly notes: readonly string[]
}

/** Scopes of files that whoever made the workspace may have written: a person has to trust their entries. */
const workspaceScopes: ReadonlySet<McpScope> = new Set(['project', 'team'])

/** Whether an entry counts only when a person trusts it. */
export function needsTrust({ scope }: Pick<ScopedServer, 'scope'>): boolean {
  return workspaceScopes.has(scope)
}

/**
 * Chooses among the entries of all scopes. A managed file means its servers alone. Of one name the strongest entry wins
 * whole, nothing is merged; of two names for the same server (one command line, one address) the stronger one stays.
 *
 * @param managed a managed file is there
 */
export function chooseServers(all: readonly ScopedServer[], managed: boolean): ServerChoice {
  const notes: string[] = []
  const chosen = new Map<string, ScopedServer>()
  const signatures = new Map<string, string>()
  for (const server of strongestFirst(all)) {
    if (managed && server.scope !== 'enterprise') {
      notes.push(`${server.name} of ${server.file} does not count: this machine's servers are managed`)
    } else if (chosen.has(server.name)) {
      notes.push(`${server.name} of ${server.file} does not count: ${chosen.get(server.name)?.file ?? ''} says it, too`)
    } else {
      const same = signatures.get(signatureOf(server.spec))
      // An agreement of two names inside one file is what its author wanted: two of the same server.
      const twin = same === undefined ? undefined : chosen.get(same)
      if (twin && twin.file !== server.file) {
        notes.push(
          `${server.name} of ${server.file} does not count: it is the same server as ${twin.name} of ${twin.file}`,
        )
        continue
      }
      chosen.set(server.name, server)
      signatures.set(signatureOf(server.spec), server.name)
    }
  }
  return { servers: [...chosen.values()], notes }
}

function strongestFirst(all: readonly ScopedServer[]): readonly ScopedServer[] {
  const rank = ({ scope }: ScopedServer): number => mcpScopes.indexOf(scope)
  return all.toSorted((a, b) => rank(a) - rank(b))
}

/** Two entries with one signature lead to the same server. */
export function signatureOf({ command, args = [], env = {}, url }: McpServerSpec): string {
  if (url !== undefined) return `url ${url.replace(/\/+$/, '')}`
  const variables = Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `command ${JSON.stringify([command, args, variables])}`
}

/**
 * An entry as the text that a person trusts: the whole of it, so that any change asks anew.
 *
 * @example serverGrant('fs', { command: 'npx', args: ['fs'] }) // 'mcp fs {"args":["fs"],"command":"npx"}'
 */
export function serverGrant(name: string, spec: McpServerSpec): string {
  return `mcp ${name} ${canonical(spec)}`
}

/** JSON with the keys in one order, whatever order they were written in. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
}
