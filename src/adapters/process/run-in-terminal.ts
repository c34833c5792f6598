import { stripVTControlCharacters } from 'node:util'
import { errorText } from '../../protocol/words/error-text.ts'
import type { CommandEnd, CommandOptions } from './run-command.ts'

/*
 * Runs one program to its end with a terminal as its input and output, for programs that refuse to work without one.
 * Owns: the session that it starts. Never: types anything, keeps colours or cursor movements.
 * 1. When the promise settles, the program and what it left in its group are dead.
 * 2. It never rejects: a missing package or program is a `failure`.
 */

const size = { cols: 120, rows: 40 } as const
const name = 'xterm-256color'
const nothing = { exitCode: null, signal: null, stopped: null, failure: null, errors: '', side: '' } as const

type Terminal = Awaited<ReturnType<typeof loadTerminal>>

/** `runCommand` with a terminal; there is no side channel, and errors come where output comes. */
export async function runInTerminal(
  [file, ...args]: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<CommandEnd> {
  if (options.signal.aborted) return { ...nothing, stopped: 'abort' }
  const { cwd, env } = options
  try {
    const { spawn } = await loadTerminal()
    return await untilItEnds(spawn(file, args, { ...size, name, cwd, env: { ...env, TERM: name } }), options)
  } catch (error) {
    return { ...nothing, failure: errorText(error) }
  }
}

async function loadTerminal() {
  try {
    return await import('@lydell/node-pty')
  } catch {
    throw new Error('a terminal needs the optional package @lydell/node-pty, which is not installed')
  }
}

function untilItEnds(child: ReturnType<Terminal['spawn']>, options: CommandOptions): Promise<CommandEnd> {
  return new Promise((resolve) => {
    let stopped: CommandEnd['stopped'] = null
    const stop = (why: 'timeout' | 'abort') => (): void => {
      stopped = why
      killGroup(child.pid)
    }
    const onAbort = stop('abort')
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(stop('timeout'), options.timeoutMs)
    options.signal.addEventListener('abort', onAbort, { once: true })
    child.onData((text) => options.onOutput(stripVTControlCharacters(text).replaceAll('\r\n', '\n')))
    child.onExit(({ exitCode, signal }) => {
      clearTimeout(timer)
      options.signal.removeEventListener('abort', onAbort)
      killGroup(child.pid)
      const ended = signal ? { exitCode: null, signal: `signal ${signal}` } : { exitCode, signal: null }
      resolve({ ...nothing, ...ended, stopped })
    })
  })
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // No process is left in the terminal.
  }
}
