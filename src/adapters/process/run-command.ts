import { limitOutput } from './output-limiter.ts'

/*
 * Runs one program to its end.
 * Owns: the process group it starts. Never: interprets what the program prints, reads the environment of this process.
 * 1. When the promise settles, the program and everything it left in its group are dead.
 * 2. It settles soon after the program's own end, also when a child that escaped the group holds a pipe open.
 * 3. It never rejects: what went wrong is in the result.
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

type Child = Awaited<ReturnType<typeof start>>['child']

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
  const { child } = await start(argv, options)
  const errors = limitOutput(sideLimits)
  const side = limitOutput(sideLimits)
  listen(child.stdio[1], options.onOutput)
  listen(child.stdio[2], (text) => errors.push(text))
  listen(child.stdio[3], (text) => side.push(text))
  if (child.pid !== undefined) await wholeGroupEnd(child)
  const result = await child
  return {
    exitCode: result.exitCode ?? null,
    signal: result.signal ?? null,
    stopped: stopOf(result),
    failure: child.pid === undefined ? (result.originalMessage ?? 'could not be started') : null,
    errors: errors.text(),
    side: side.text(),
    ms: Math.round(result.durationMs),
  }
}

function stopOf(result: { readonly timedOut: boolean; readonly isCanceled: boolean }): CommandEnd['stopped'] {
  if (result.timedOut) return 'timeout'
  return result.isCanceled ? 'abort' : null
}

/** The package is loaded with the first program: an agent that starts none does not wait for it. */
async function start([file, ...args]: readonly [string, ...string[]], options: CommandOptions) {
  const { execa } = await import('execa')
  // Inside an object, as what execa returns would be awaited to its end.
  const child = execa(file, args, {
    cwd: options.cwd,
    env: options.env,
    extendEnv: false,
    stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', options.sideChannel ? 'pipe' : 'ignore'],
    buffer: false,
    reject: false,
    killDescendants: true,
    forceKillAfterDelay: patience.beforeKill,
    cancelSignal: options.signal,
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
    ...(options.input === undefined ? {} : { input: options.input }),
  })
  return { child }
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

/** Waits for the program, then for its pipes; whoever still holds them is asked to go, then killed, then left behind. */
async function wholeGroupEnd(child: Child): Promise<void> {
  const closed = new Promise<true>((resolve) => child.nodeChildProcess.once('close', () => resolve(true)))
  await new Promise<void>((resolve) => child.nodeChildProcess.once('exit', () => resolve()))
  if (!(await within(closed, patience.beforeTerm))) {
    child.kill('SIGTERM')
    await within(closed, patience.beforeKill)
  }
  child.kill('SIGKILL')
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
