import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createServer, createConnection, type Socket } from 'node:net'
import { dirname, join } from 'node:path'
import { errorText } from '../../protocol/words/error-text.ts'
import { liveEventSchema, type LiveEvent } from '../../protocol/facts/live.ts'
import { createHash } from 'node:crypto'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { isAlive, ownMachine, ownProcess } from '../process/liveness.ts'
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

interface LiveSocketOptions {
  readonly path: string
  /** The member of the process, for the socket's own events. */
  readonly member: string
  /** Called when the first listener came, or the last one left. */
  readonly heard: (listened: boolean) => void
  /** Called with the reason when the socket cannot be offered. */
  readonly failed: (reason: string) => void
  /** Bytes that wait for one listener at most. */
  readonly bound?: number
}

const usualBound = 256 * 1024
const mostListeners = 32

/** Offers a live socket soon after the call. A failure is told to `failed`, never thrown. */
export function openLiveSocket({ path, member, heard, failed, bound = usualBound }: LiveSocketOptions): LiveSocket {
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
    say(event) {
      if (listeners.size === 0) return
      const line = lineOf(event)
      for (const [socket, state] of listeners) {
        if (state.dropped > 0 || socket.writableLength > bound) state.dropped += 1
        else socket.write(line)
      }
    },
    close() {
      for (const socket of listeners.keys()) socket.destroy()
      shut(server, path)
    },
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

/*
 * Owns where live sockets lie. Never opens one.
 * 1. A path is short: the system takes about a hundred characters. 2. The folder is ours alone (0700), or there is no
 * socket. 3. A socket's name says whose process it is, so that those of dead processes can be taken away.
 */

const longestPath = 99
const socketName = /^([0-9a-f]{6})-(\d+)-(\d+)-[0-9a-f]{10}\.sock$/

/** The owner of a socket, and the environment that names places. */
interface LiveOwner {
  readonly dir: string
  /** `team` for the leader's process, else the member that has a process of its own. */
  readonly owner: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * The path of this process's live socket for a run: in `$XDG_RUNTIME_DIR/troupe`, else in a folder of this user among
 * the temporary files. On Windows the name of a pipe.
 * @returns null when every place would make too long a path
 * @example livePlace({ dir: run.dir, owner: 'team', env: process.env }) // '/run/user/1000/troupe/3f…-4711-….sock'
 */
export function livePlace({ dir, owner, env }: LiveOwner): string | null {
  const { pid, started } = ownProcess()
  const name = `${machineName()}-${pid}-${started}-${ownerMark(dir, owner)}.sock`
  if (process.platform === 'win32') return `\\\\.\\pipe\\troupe-${name}`
  return (
    foldersIn(env)
      .map((folder) => join(folder, name))
      .find((path) => path.length <= longestPath) ?? null
  )
}

/**
 * Makes the folder of live sockets ready, and takes away what dead processes left in it.
 * @throws when the folder is not this user's alone, or cannot be made
 */
function readyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  if (!isOurs(folder)) {
    throw new Error(`${folder} is not a folder of yours alone; remove it, or make it so with chmod 700`)
  }
  forgetDead(folder)
}

/** The sockets that dead processes of this machine left, wherever this user's live sockets lie. */
export function deadSockets(env: LiveOwner['env']): readonly string[] {
  if (process.platform === 'win32') return []
  return foldersIn(env)
    .filter(isOurs)
    .flatMap((folder) => namesIn(folder).flatMap((name) => (isLeftOver(name) ? [join(folder, name)] : [])))
}

/** Whether a path is that of a live socket of this run and owner, whichever process it was. */
export function isSocketOf(path: string, { dir, owner }: Omit<LiveOwner, 'env'>): boolean {
  return path.endsWith(`-${ownerMark(dir, owner)}.sock`)
}

/** Takes away what dead processes of this machine left in the folder of live sockets. */
export function forgetDead(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeftOver(name)) forgetSocket(join(folder, name))
}

/** Whether a socket is of a dead process of this machine: containers may share the folder, with other process ids. */
function isLeftOver(name: string): boolean {
  const [, machine, pid, started] = socketName.exec(name) ?? []
  return machine === machineName() && !isAlive(Number(pid), Number(started))
}

/** Removes the socket of a dead process. */
export function forgetSocket(path: string): void {
  try {
    rmSync(path)
  } catch (error) {
    // Another process removed the socket at the same time.
    if (errorCode(error) !== 'ENOENT') throw error
  }
}

function foldersIn(env: LiveOwner['env']): readonly string[] {
  const { XDG_RUNTIME_DIR: runtime, TMPDIR: temporary } = env
  const user = `troupe-${process.getuid?.() ?? 'user'}`
  return [
    ...(runtime ? [join(runtime, 'troupe')] : []),
    ...(temporary ? [join(temporary, user)] : []),
    join('/tmp', user),
  ]
}

/** Whether a path is a folder, no link, owned by this user and closed to all others. */
function isOurs(folder: string): boolean {
  const state = lstatSync(folder, { throwIfNoEntry: false })
  const foreign = process.getuid !== undefined && state?.uid !== process.getuid()
  return state?.isDirectory() === true && !foreign && (state.mode & 0o077) === 0
}

function ownerMark(dir: string, owner: string): string {
  return hash(`${dir}\0${owner}`, 10)
}

function machineName(): string {
  return hash(ownMachine(), 6)
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
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
