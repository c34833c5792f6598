import { createConnection, createServer, type Socket } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'

/*
 * Throughput is measured with a bounded number of mails on their way, the same for both: else whoever is slower reads
 * from a folder that the other one never sees.
 */

/** So much mail of one sender is on its way at most. */
const size = 256
/** Told of this often, so that telling costs next to nothing. */
const step = size / 4

const socketIn = (home: string) => join(home, 'acks')

/** The receiver's end: each sender is told of its mail that was taken in. */
export function acknowledging(home: string) {
  const senders = new Map<string, Socket>()
  const untold = new Map<string, number>()
  const tell = (sender: string): void => {
    const steps = Math.floor((untold.get(sender) ?? 0) / step)
    const socket = senders.get(sender)
    if (steps === 0 || !socket) return
    socket.write('.'.repeat(steps))
    untold.set(sender, (untold.get(sender) ?? 0) - steps * step)
  }
  const server = createServer((socket) => {
    socket.once('data', (name) => {
      senders.set(name.toString(), socket)
      tell(name.toString())
    })
    socket.on('error', () => undefined)
  })
  server.listen(socketIn(home))
  return {
    took(sender: string): void {
      untold.set(sender, (untold.get(sender) ?? 0) + 1)
      tell(sender)
    },
    close(): void {
      server.close()
      for (const socket of senders.values()) socket.destroy()
    },
  }
}

/** The sender's end: to be asked before each mail. */
export async function openWindow(home: string, name: string) {
  const socket = createConnection(socketIn(home))
  await once(socket, 'connect')
  socket.write(name)
  let room = size
  let go = (): void => undefined
  socket.on('data', ({ length }) => {
    room += length * step
    go()
  })
  return {
    /** Takes a place if there is one. */
    hasRoom(): boolean {
      if (room === 0) return false
      room -= 1
      return true
    },
    /** Waits for a place and takes it. */
    async room(): Promise<void> {
      await new Promise<void>((resolve) => (go = resolve))
      room -= 1
    },
    close: () => socket.destroy(),
  }
}
