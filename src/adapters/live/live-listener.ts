import { createConnection } from 'node:net'
import { StringDecoder } from 'node:string_decoder'
import { liveEventSchema, type LiveEvent } from '../../protocol/facts/live.ts'
import { parseJson } from '../fs/parse-json.ts'

const longestLine = 4 * 1024 * 1024

export interface SocketListener {
  heard(event: LiveEvent): void
  /** Called once when the socket is gone, or never was there. */
  gone(): void
}

/**
 * Listens at a live socket until it closes. Lines that are no live events are passed over: they belong to another
 * version, and nothing depends on them.
 * @returns the end of the listening
 * @example const stop = listenLive(path, { heard: show, gone: () => undefined })
 */
export function listenLive(path: string, { heard, gone }: SocketListener): () => void {
  const socket = createConnection(path)
  const decoder = new StringDecoder('utf8')
  let rest = ''
  let left = false
  socket.on('data', (bytes: Buffer) => {
    const lines = (rest + decoder.write(bytes)).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = liveEventSchema.safeParse(parseJson(line))
      if (event.success && !left) heard(event.data)
    }
    if (rest.length > longestLine) socket.destroy()
  })
  socket.on('error', () => undefined)
  socket.on('close', () => {
    if (!left) gone()
    left = true
  })
  return () => {
    left = true
    socket.destroy()
  }
}
