import { lookup } from 'node:dns/promises'
import { BlockList, isIPv6 } from 'node:net'

/** Addresses of this machine, and those that answer on each: a name that somebody else gives out may lead there. */
const ownMachine = new BlockList()
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
] as const)
  ownMachine.addSubnet(net, bits)
for (const [net, bits] of [
  ['::', 127],
  ['fe80::', 10],
] as const)
  ownMachine.addSubnet(net, bits, 'ipv6')

/** The verdict on a host, and the hosts whose addresses nobody reaches under another name. */
export interface HostRules {
  reach(host: string): 'named' | 'covered' | 'closed'
  closed(): readonly string[]
  /** All addresses of a name; none where there is no such name. */
  readonly addressesOf?: (host: string) => Promise<readonly string[]>
}

/**
 * Makes of a host the address that a connection goes to: judged and resolved once, so that a name that changes its mind
 * gains nothing. A host that is only covered by a pattern is closed where it leads to the address of a closed one, or to this machine.
 *
 * @returns null for a host that is closed or leads nowhere
 * @example await resolveHost({ reach: () => 'covered', closed: () => ['evil.example'] })('alias.example')
 */
export function resolveHost({ reach, closed, addressesOf = systemAddresses }: HostRules) {
  const closedAddresses = async (): Promise<BlockList> => {
    const list = new BlockList()
    for (const address of (await Promise.all(closed().map(addressesOf))).flat())
      list.addAddress(address, family(address))
    return list
  }
  return async (host: string): Promise<string | null> => {
    const verdict = reach(host)
    if (verdict === 'closed') return null
    const addresses = await addressesOf(host.replace(/^\[|\]$/g, ''))
    if (verdict === 'named') return addresses[0] ?? null
    const lists = [ownMachine, await closedAddresses()]
    const isShut = (address: string): boolean => lists.some((list) => list.check(address, family(address)))
    return addresses.some(isShut) ? null : (addresses[0] ?? null)
  }
}

/** Lists of addresses find `::ffff:127.0.0.1` as `127.0.0.1`. */
function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4'
}

async function systemAddresses(host: string): Promise<readonly string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address)
  } catch {
    // The name leads nowhere.
    return []
  }
}
