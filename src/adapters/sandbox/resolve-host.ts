import { lookup } from 'node:dns/promises'

/** The verdict on a host, and the hosts whose addresses nobody reaches under another name. */
export interface HostRules {
  reach(host: string): 'named' | 'covered' | 'closed'
  closed(): readonly string[]
  /** All addresses of a name; none where there is no such name. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>
}

/**
 * Makes of a host the address that a connection goes to: judged and resolved once, so that a name that changes its mind
 * gains nothing. A host that is only covered by a pattern is closed where it leads to the address of a closed one.
 *
 * @returns null for a host that is closed or leads nowhere
 * @example await resolveHost({ reach: () => 'covered', closed: () => ['evil.example'] })('alias.example')
 */
export function resolveHost({ reach, closed, addressesOf = systemAddresses }: HostRules) {
  const closedAddresses = async (): Promise<ReadonlySet<string>> =>
    new Set((await Promise.all(closed().map(addressesOf))).flat().map(plainAddress))
  return async (host: string): Promise<string | null> => {
    const verdict = reach(host)
    if (verdict === 'closed') return null
    const addresses = await addressesOf(host.replace(/^\[|\]$/g, ''))
    const shut = verdict === 'named' ? new Set<string>() : await closedAddresses()
    if (addresses.some((address) => shut.has(plainAddress(address)))) return null
    return addresses[0] ?? null
  }
}

/** The address of an old network inside of the new one is the old one: `::ffff:127.0.0.1`. */
function plainAddress(address: string): string {
  const old = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)
  return old?.[1] ?? address.toLowerCase()
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    // The name leads nowhere.
    return []
  }
}
