import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { longestTimer } from '../../protocol/words/duration.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { keepGroup, killGroup } from './live-groups.ts'
import { limitOutput } from './output-limiter.ts'

/*
 * Runs one program to its end.
 * Owns: the process group it starts. Never: interprets what the program prints, reads the environment of this process.
 * 1. When the promise settles, the program and everything it left in its group are dead.
 * 2. It settles soon after the program's own end, also when a child that escaped the group holds a pipe open.
 * 3. It never rejects: what went wrong is in the result. 4. The group does not outlive this process, unless that is killed.
 */

export interface CommandOptions {
  readonly cwd: string
  /** The whole environment of the program; nothing is added. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs?: number
  /** Text for stdin, which is closed without it. */
  readonly input?: string
  /** Hears stdout as it comes, decoded, never split inside a code point. */
  readonly onOutput: (text: string) => void
  /** Opens file descriptor 3 for the program and returns what it wrote there. */
  readonly sideChannel?: boolean
}

export interface CommandEnd {
  /** Null when a signal ended the program or it never started. */
  readonly exitCode: number | null
  readonly signal: string | null
  readonly stopped: 'timeout' | 'abort' | null
  /** Why it could not start. */
  readonly failure: string | null
  /** The beginning and the end of stderr. */
  readonly errors: string
  /** The beginning and the end of what came on file descriptor 3. */
  readonly side: string
  /** Milliseconds that it ran. */
  readonly ms?: number
}

const patience = { beforeTerm: 250, beforeKill: 1_000, beforeLetGo: 250 } as const
const sideLimits = { head: 4_000, tail: 4_000 } as const

/**
 * Runs `argv` without a shell, in a process group of its own.
 *
 * @returns How it ended; a program that cannot be started is a `failure`, never an exception.
 * @example
 * const end = await runCommand(['git', 'status'], { cwd, env, signal, onOutput: (text) => console.log(text) })
 */
export async function runCommand(argv: readonly [string, ...string[]], options: CommandOptions): Promise<CommandEnd> {
  const nothing = { exitCode: null, signal: null, stopped: null, failure: null, errors: '', side: '' }
  if (options.signal.aborted) return { ...nothing, stopped: 'abort' }
  const started = performance.now()
  const child = await start(argv, options)
  if (typeof child === 'string') return { ...nothing, failure: child }
  const errors = limitOutput(sideLimits)
  const side = limitOutput(sideLimits)
  listen(child.stdio[1], options.onOutput)
  listen(child.stdio[2], (text) => errors.push(text))
  listen(child.stdio[3], (text) => side.push(text))
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input)
  const stopped = await endOf(child, options)
  return {
    exitCode: child.exitCode,
    signal: child.signalCode,
    stopped,
    failure: null,
    errors: errors.text(),
    side: side.text(),
    ms: Math.round(performance.now() - started),
  }
}

/** @returns the program, or why there is none */
async function start(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env, input, sideChannel }: CommandOptions,
): Promise<(ChildProcess & { readonly pid: number }) | string> {
  const stdin = input === undefined ? 'ignore' : 'pipe'
  try {
    const stdio = [stdin, 'pipe', 'pipe', sideChannel ? 'pipe' : 'ignore'] as const
    const child = spawn(file, args, { cwd, env, detached: true, stdio: [...stdio] })
    if (hasStarted(child)) return child
    const error = await new Promise<Error>((resolve) => child.once('error', resolve))
    return existsSync(cwd) ? error.message : `${error.message}: there is no directory ${cwd}`
  } catch (error) {
    return errorText(error)
  }
}

function hasStarted(child: ChildProcess): child is ChildProcess & { readonly pid: number } {
  return child.pid !== undefined
}

function listen(stream: unknown, hear: (text: string) => void): void {
  if (!isReadable(stream)) return
  stream.setEncoding('utf8')
  stream.on('data', hear)
  stream.on('error', () => stream.destroy())
}

function isReadable(stream: unknown): stream is NodeJS.ReadableStream & { destroy(): void } {
  return typeof stream === 'object' && stream !== null && 'setEncoding' in stream
}

/** Waits for the program's own end, which comes soon after its time or an abort, and for that of its group. */
async function endOf(
  child: ChildProcess & { readonly pid: number },
  { signal, timeoutMs }: CommandOptions,
): Promise<CommandEnd['stopped']> {
  const forget = keepGroup(child.pid)
  let stopped: CommandEnd['stopped'] = null
  let killing: NodeJS.Timeout | undefined
  const stop = (why: CommandEnd['stopped']): void => {
    if (stopped !== null) return
    stopped = why
    killGroup(child.pid, 'SIGTERM')
    killing = setTimeout(() => killGroup(child.pid, 'SIGKILL'), patience.beforeKill)
  }
  const abort = (): void => stop('abort')
  const late = timeoutMs === undefined ? undefined : setTimeout(stop, Math.min(timeoutMs, longestTimer), 'timeout')
  signal.addEventListener('abort', abort, { once: true })
  try {
    const closed = new Promise<true>((resolve) => child.once('close', () => resolve(true)))
    await new Promise<void>((resolve) => child.once('exit', () => resolve()))
    clearTimeout(late)
    clearTimeout(killing)
    signal.removeEventListener('abort', abort)
    await groupEnd(child, closed)
    return stopped
  } finally {
    forget()
  }
}

/** Processes that still hold the pipes of a program that ended are asked to go, then killed, then left behind. */
async function groupEnd(child: ChildProcess & { readonly pid: number }, closed: Promise<true>): Promise<void> {
  if (!(await within(closed, patience.beforeTerm))) {
    killGroup(child.pid, 'SIGTERM')
    await within(closed, patience.beforeKill)
  }
  killGroup(child.pid, 'SIGKILL')
  if (await within(closed, patience.beforeLetGo)) return
  for (const stream of child.stdio) if (isReadable(stream)) stream.destroy()
}

async function within(done: Promise<true>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), ms)
  })
  const inTime = await Promise.race([done, late])
  clearTimeout(timer)
  return inTime
}
