import { chmodSync } from 'node:fs'
import { createServer, type Socket, createConnection } from 'node:net'
import { dirname } from 'node:path'
import { errorText } from '../../protocol/words/error-text.ts'
import { type LiveEvent, liveEventSchema } from '../../protocol/facts/live.ts'
import { forgetDead, readyFolder } from './live-place.ts'
import { StringDecoder } from 'node:string_decoder'
import { parseJson } from '../fs/parse-json.ts'

/*
 * Owns one live socket: a listener that connects hears the process's events from then on. Never waits for a listener.
 * 1. Events are dropped, and counted, for a listener that does not read.
 * 2. `heard` is true only while there is a listener: without one no event is made.
 * 3. Neither socket nor listeners keep a process alive.
 * 4. Bytes from a listener are ignored.
 */
export interface LiveSocket {
  say(event: LiveEvent): void
  close(): void
}

export interface LiveSocketOptions {
  readonly path: string
  /** The member of the process, for the socket's own events. */
  readonly member: string
  /** Called when the first listener came, or the last one left. */
  readonly heard: (listened: boolean) => void
  /** Events that one who comes now has missed and needs: told to each listener first. */
  readonly missed?: () => readonly LiveEvent[]
  /** Called with the reason when the socket cannot be offered. */
  readonly failed: (reason: string) => void
  /** Bytes that wait for one listener at most. */
  readonly bound?: number
}

const usualBound = 256 * 1024
const mostListeners = 32

/** Offers a live socket soon after the call. A failure is told to `failed`, never thrown. */
export function openLiveSocket(options: LiveSocketOptions): LiveSocket {
  const { path, member, heard, missed = () => [], failed, bound = usualBound } = options
  const listeners = new Map<Socket, { dropped: number }>()
  const leave = (socket: Socket): void => {
    if (listeners.delete(socket) && listeners.size === 0) heard(false)
  }
  const server = createServer((socket) => {
    if (listeners.size >= mostListeners) {
      socket.destroy()
      return
    }
    listeners.set(socket, { dropped: 0 })
    socket.unref().resume()
    socket.on('error', () => undefined)
    socket.on('close', () => leave(socket))
    socket.on('drain', () => confess(socket))
    for (const event of missed()) socket.write(lineOf(event))
    if (listeners.size === 1) heard(true)
  })
  const confess = (socket: Socket): void => {
    const state = listeners.get(socket)
    if (!state || state.dropped === 0) return
    socket.write(lineOf({ type: 'dropped', member, count: state.dropped }))
    state.dropped = 0
  }
  server.on('error', (error) => failed(error.message))
  listen(server, path, failed)
  return {
    say: (event) => tellAll(listeners, event, bound),
    close() {
      for (const socket of listeners.keys()) socket.destroy()
      shut(server, path)
    },
  }
}

/** An event is a line for each listener, but for those that do not read. */
function tellAll(listeners: ReadonlyMap<Socket, { dropped: number }>, event: LiveEvent, bound: number): void {
  if (listeners.size === 0) return
  const line = lineOf(event)
  for (const [socket, state] of listeners) {
    if (state.dropped > 0 || socket.writableLength > bound) state.dropped += 1
    else socket.write(line)
  }
}

function listen(server: ReturnType<typeof createServer>, path: string, failed: LiveSocketOptions['failed']): void {
  try {
    if (process.platform !== 'win32') readyFolder(dirname(path))
    server.listen(path, () => {
      if (process.platform !== 'win32') chmodSync(path, 0o600)
    })
    server.unref()
  } catch (error) {
    failed(errorText(error))
  }
}

/** Ends the server; removes the sockets of killed processes, since no later process may come here. */
function shut(server: ReturnType<typeof createServer>, path: string): void {
  server.close()
  if (process.platform === 'win32') return
  try {
    forgetDead(dirname(path))
  } catch {
    // The folder was removed, or it was never ours: `failed` was told.
  }
}

function lineOf(event: LiveEvent): string {
  return `${JSON.stringify(event)}\n`
}

const longestLine = 4 * 1024 * 1024

interface SocketListener {
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
