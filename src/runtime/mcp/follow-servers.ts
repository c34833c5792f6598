import { isDeepStrictEqual } from 'node:util'
import { serverFiles, type ServerPlaces } from '../../adapters/mcp/config/read-servers.ts'
import { serversFound } from '../plugins/found-servers.ts'
import { watchSettings } from '../../adapters/settings/watch-settings.ts'
import type { ScopedServer } from '../../protocol/mcp/server-spec.ts'
import { chooseServers } from '../../rules/mcp/server-scopes.ts'

/**
 * Follows the entries of some servers in the files that they stand in.
 * 1. What counts is what changed since the beginning: a team keeps the servers that it was launched with.
 * 2. A file that cannot be read takes no server away, it may be half written.
 *
 * @param hear hears the entry of a server that is another one now; null for one that no file has any more
 * @returns how to stop
 */
export function followServers(
  places: ServerPlaces,
  names: readonly string[],
  hear: (name: string, server: ScopedServer | null) => void,
): () => Promise<void> {
  const known = entriesNow(places).servers
  const look = (): void => {
    const { servers, isWhole } = entriesNow(places)
    for (const name of names) {
      const now = servers.get(name)
      if (isDeepStrictEqual(now, known.get(name)) || (now === undefined && !isWhole)) continue
      if (now === undefined) known.delete(name)
      else known.set(name, now)
      hear(name, now ?? null)
    }
  }
  const watch = watchSettings({ files: serverFiles(places), folders: [] }, look)
  // One look finds the changes from before the watcher was ready.
  void watch.ready.then(look)
  return watch.close
}

function entriesNow(places: ServerPlaces) {
  const { servers, managed, problems } = serversFound(places)
  const chosen = chooseServers(servers, managed).servers
  return { servers: new Map(chosen.map((server) => [server.name, server])), isWhole: problems.length === 0 }
}
