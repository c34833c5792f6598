import { timingSafeEqual } from 'node:crypto'
import { chmodSync, mkdirSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { dirname } from 'node:path'
import type { BrokerLine, BrokerMember, MemberLine } from '../../../protocol/mcp/broker-message.ts'
import { lineChannel, type LineChannel } from './line-channel.ts'

/** A member that has been let in. */
export interface Guest {
  readonly member: BrokerMember
  say(line: BrokerLine): void
}

interface Hosting {
  readonly path: string
  readonly members: readonly BrokerMember[]
  came(guest: Guest): void
  heard(guest: Guest, line: MemberLine): void
  left(guest: Guest): void
}

/** Until somebody who connects has to show a credential. */
const helloMs = 5_000
const longestHello = 4_096

/**
 * Offers a socket that only its owner may open, and lets in whoever shows the credential of a member.
 * @throws when the socket cannot be offered there
 */
export async function openBrokerSocket(hosting: Hosting): Promise<{ close(): void }> {
  const { path } = hosting
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    receive(socket, hosting)
  })
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rmSync(path, { force: true })
  const before = process.umask(0o177)
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  } finally {
    process.umask(before)
  }
  chmodSync(path, 0o600)
  return {
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      rmSync(path, { force: true })
    },
  }
}

function receive(socket: Socket, { members, came, heard, left }: Hosting): void {
  let guest: Guest | null = null
  const timer = setTimeout(() => socket.destroy(), helloMs)
  let bytes = 0
  const count = (chunk: Buffer): void => {
    bytes += chunk.length
    if (guest === null && bytes > longestHello) socket.destroy()
  }
  socket.on('data', count)
  const channel: LineChannel<BrokerLine> = lineChannel<BrokerLine, MemberLine>(socket, {
    heard(line) {
      if (guest !== null) {
        heard(guest, line)
        return
      }
      const member = line.type === 'hello' ? members.find((each) => isShown(each, line)) : undefined
      if (!member) {
        socket.destroy()
        return
      }
      clearTimeout(timer)
      socket.off('data', count)
      guest = { member, say: channel.say }
      came(guest)
    },
    gone() {
      clearTimeout(timer)
      if (guest !== null) left(guest)
    },
  })
}

function isShown(
  { name, credential }: BrokerMember,
  shown: { readonly member: string; readonly credential: string },
): boolean {
  if (typeof shown.credential !== 'string') return false
  const [wanted, given] = [Buffer.from(credential), Buffer.from(shown.credential)]
  return name === shown.member && wanted.length === given.length && timingSafeEqual(wanted, given)
}
