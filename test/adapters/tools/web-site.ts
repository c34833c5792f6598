import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach } from 'vitest'
import { webFetchWith } from '../../../src/adapters/tools/web/web-fetch.ts'
import { blockedAddresses } from '../../../src/adapters/tools/web/blocked-addresses.ts'

const everywhereHere: LookupFunction = (_host, options, give) =>
  options.all ? give(null, [{ address: '127.0.0.1', family: 4 }]) : give(null, '127.0.0.1', 4)

/** The tool for which every name leads to this machine, which counts as the public web. */
export const homelyFetch = webFetchWith({ blocked: blockedAddresses(['127.0.0.0']), lookup: everywhereHere })

/** Servers of this machine, gone after each test. */
export function webSites(): {
  open(listener: RequestListener): Promise<{ readonly port: number; readonly url: string }>
} {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) {
      server.closeAllConnections()
      server.close()
    }
  })
  return {
    async open(listener) {
      const server = createServer(listener)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as AddressInfo
      return { port, url: `http://site.example:${port}` }
    },
  }
}
