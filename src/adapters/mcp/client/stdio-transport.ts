import { spawn, type ChildProcess } from 'node:child_process'
import { serializeMessage } from '@modelcontextprotocol/sdk/shared/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { descendantsOf, endProcess, killEach } from '../../process/end-process.ts'
import { lastBytes } from '../../process/last-bytes.ts'
import { processStart, type ProcessIdentity } from '../../process/liveness.ts'
import { hearLines } from '../hear-lines.ts'
import { longestMessage } from './longest-message.ts'

/** For the end of its input to be heard, for TERM, and again for KILL. */
const patienceMs = 1_000
/** For the rest of its stderr to be read once it has ended; a child of it may hold that open. */
const lastWordsMs = 200
/** Of what it wrote to stderr, for whoever asks why it failed. */
const keptBytes = 4_096
/** Bytes that a server has not read, after which the connection is given up. */
const mostUnread = 4 * longestMessage
/** Lines on stdout that are no messages, before the connection is given up. */
const mostNoise = 10_000

/** A server that is started here, and spoken to by its standard input and output. */
export interface StdioServer {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/**
 * The way to one server that runs as a program of ours.
 * 1. It leads a group of its own: whatever it starts ends with it, by the end of its input, TERM, then KILL; so do its
 *    children in other groups and sessions, as far as it has not left them to nobody.
 * 2. Noise on its stdout is passed over, its stderr is read and forgotten but for the end.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  readonly #server: StdioServer
  readonly #stderr = lastBytes(keptBytes)
  #child: ChildProcess | null = null
  #identity: ProcessIdentity | null = null
  #noise = 0
  #closing: Promise<void> | null = null

  constructor(server: StdioServer) {
    this.#server = server
  }

  /** The last that it wrote to stderr. */
  get lastWords(): string {
    return this.#stderr.take().bytes.toString('utf8').trim()
  }

  get command(): string {
    return this.#server.command
  }

  async start(): Promise<void> {
    const { command, args, env, cwd } = this.#server
    const child = spawn(command, [...args], { env, cwd, detached: true, stdio: ['pipe', 'pipe', 'pipe'] })
    this.#child = child
    child.stdin.on('error', (error) => this.onerror?.(error))
    hearLines(child.stdout, {
      longest: longestMessage,
      heard: (line) => this.#hear(line),
      tooLong: () => void this.close(),
    })
    child.stdout.on('error', (error) => this.onerror?.(error))
    child.stderr.on('data', (bytes: Buffer) => this.#stderr.push(bytes))
    child.stderr.on('error', () => undefined)
    // Not `close`: a process that it left behind may hold the pipes for ever.
    const ended = (): void => void setImmediate(() => void this.close())
    child.once('exit', () => {
      const late = setTimeout(ended, lastWordsMs)
      const heard = (): void => {
        clearTimeout(late)
        ended()
      }
      if (child.stderr.closed) heard()
      else child.stderr.once('close', heard)
    })
    // A server that closes its stdout and lives on can answer nothing any more.
    child.stdout.once('end', ended)
    await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
    child.on('error', (error) => this.onerror?.(error))
    const { pid } = child
    const started = pid === undefined ? null : processStart(pid)
    this.#identity = pid === undefined || started === null ? null : { pid, started }
  }

  #hear(line: string): void {
    if (this.#closing) return
    try {
      this.onmessage?.(messageIn(line))
    } catch (error) {
      this.onerror?.(error as Error)
      this.#noise += 1
      if (this.#noise > mostNoise) void this.close()
    }
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin
    if (!stdin || stdin.destroyed || this.#closing) return Promise.reject(new Error('its process ended'))
    if (stdin.writableLength > mostUnread) void this.close()
    return new Promise((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve()))
    })
  }

  close(): Promise<void> {
    this.#closing ??= this.#end()
    return this.#closing
  }

  async #end(): Promise<void> {
    const child = this.#child
    // Looked for while it lives: what outlives its parent is nobody's child any more.
    const family = child?.pid === undefined || child.exitCode !== null ? [] : descendantsOf([child.pid])
    child?.stdin?.end()
    if (child && child.exitCode === null && child.signalCode === null) {
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        new Promise((resolve) => child.once('exit', resolve)),
        new Promise((resolve) => {
          timer = setTimeout(resolve, patienceMs)
        }),
      ])
      clearTimeout(timer)
      if (this.#identity) await endProcess(this.#identity, patienceMs)
    }
    this.#sweepGroup()
    killEach(family)
    child?.stdout?.destroy()
    child?.stderr?.destroy()
    this.onclose?.()
  }

  /** Processes of its group that outlived it. */
  #sweepGroup(): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(-pid, 'SIGKILL')
    } catch {
      // The group is empty.
    }
  }
}

/** The message of a line. Whether it is a message of a known kind is seen by who hears it. */
function messageIn(line: string): JSONRPCMessage {
  const said: unknown = JSON.parse(line)
  if (typeof said === 'object' && said !== null && 'jsonrpc' in said) return said as JSONRPCMessage
  throw new Error('a line that is no message')
}
