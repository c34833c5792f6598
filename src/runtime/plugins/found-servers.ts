import { foundServers, type FoundServers, type ServerPlaces } from '../../adapters/mcp/config/read-servers.ts'
import { pluginServers } from './plugin-parts.ts'

/** The servers of every file there is, and those of the plugins that a person trusts: `serversFound(places).servers`. */
export function serversFound(places: ServerPlaces): FoundServers {
  const found = foundServers(places)
  return { ...found, servers: [...found.servers, ...pluginServers(places.home)] }
}
