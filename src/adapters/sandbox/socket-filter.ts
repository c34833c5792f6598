/*
 * A seccomp filter for whatever runs inside the sandbox: no keys of the kernel, no new sockets but those of the internet and of
 * netlink, which a network namespace holds. Mounts do not stand in the way of others, and behind them wait those who run commands for
 * others: a terminal multiplexer, a container daemon, a key agent, the host of a virtual machine.
 * Numbers are those of linux/{seccomp,filter,audit,socket}.h.
 */

interface Machine {
  readonly audit: number
  readonly socket: number
  /** add_key, request_key, keyctl: keys of the person's session are not those of a namespace. */
  readonly keys: readonly number[]
  /** From here on the same calls go by other numbers. */
  readonly otherNumbers?: number
}

const machines: Partial<Record<string, Machine>> = {
  x64: { audit: 0xc000003e, socket: 41, keys: [248, 249, 250], otherNumbers: 0x40000000 },
  arm64: { audit: 0xc00000b7, socket: 198, keys: [217, 218, 219] },
}

const load = 0x20
const ifEqual = 0x15
const ifAtLeast = 0x35
const end = 0x06
const allowed = 0x7fff0000
const notPermitted = 0x00050001
const notThere = 0x00050026
const ioUringSetup = 425
const localFamily = 1
/** AF_INET, AF_INET6, AF_NETLINK. */
const families = [2, 10, 16]

type Step = readonly [code: number, jumpTrue: number, jumpFalse: number, value: number]

/**
 * The filter as bytes; null for a processor it was not written for.
 *
 * @param local Sockets of the local machine are open.
 * @example socketFilter('x64', false)?.length // a multiple of 8
 */
export function socketFilter(processor: string, local: boolean): Uint8Array | null {
  const machine = machines[processor]
  if (machine === undefined) return null
  const { audit, socket, keys, otherNumbers = 0xffffffff } = machine
  const open = local ? [localFamily, ...families] : families
  const steps: readonly Step[] = [
    [load, 0, 0, 4],
    [ifEqual, 1, 0, audit],
    [end, 0, 0, notPermitted],
    [load, 0, 0, 0],
    [ifAtLeast, 0, 1, otherNumbers],
    [end, 0, 0, notPermitted],
    [ifEqual, 0, 1, ioUringSetup],
    [end, 0, 0, notThere],
    ...keys.flatMap((call): readonly Step[] => [
      [ifEqual, 0, 1, call],
      [end, 0, 0, notPermitted],
    ]),
    [ifEqual, 1, 0, socket],
    [end, 0, 0, allowed],
    [load, 0, 0, 16],
    ...open.map((family, at): Step => [ifEqual, open.length - at, 0, family]),
    [end, 0, 0, notPermitted],
    [end, 0, 0, allowed],
  ]
  const bytes = new DataView(new ArrayBuffer(steps.length * 8))
  for (const [i, [code, jumpTrue, jumpFalse, value]] of steps.entries()) {
    bytes.setUint16(i * 8, code, true)
    bytes.setUint8(i * 8 + 2, jumpTrue)
    bytes.setUint8(i * 8 + 3, jumpFalse)
    bytes.setUint32(i * 8 + 4, value, true)
  }
  return new Uint8Array(bytes.buffer)
}
