import { BlockList } from 'node:net'

/** Networks that are no part of the public internet: this machine, its neighbours, its cloud's metadata service. */
const closed4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]
/**
 * All addresses below `2000::` but `::ffff:0:0/96`. A block list writes every address of version 4 in that form, and
 * version 4 has its own list: closing the form too would close the whole web.
 */
const belowPublic: readonly (readonly [string, number])[] = Array.from({ length: 93 }, (_, index) => {
  const bit = index + 3
  const groups = [0, 0, 0, 0, 0, 0, 0, 0]
  if (bit < 80) groups[bit >> 4] = 0x8000 >> (bit & 15)
  else groups[5] = (0xffff << (96 - bit)) & 0xffff
  return [groups.map((group) => group.toString(16)).join(':'), bit + 1] as const
})
/** Of version 6 only what is handed out to the public is open; the rest and every way to carry version 4 is closed. */
const closed6: readonly (readonly [string, number])[] = [
  ...belowPublic,
  ['4000::', 2],
  ['8000::', 1],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]

/**
 * The addresses that a page may not be fetched from, whatever name or number led there.
 *
 * @param open Networks of the list that are not closed after all, for whoever serves pages there.
 * @example blockedAddresses().check('169.254.169.254') // true
 */
export function blockedAddresses(open: readonly string[] = []): BlockList {
  const list = new BlockList()
  const closed = (nets: typeof closed4) => nets.filter(([net]) => !open.includes(net))
  for (const [net, prefix] of closed(closed4)) list.addSubnet(net, prefix, 'ipv4')
  for (const [net, prefix] of closed(closed6)) list.addSubnet(net, prefix, 'ipv6')
  return list
}
