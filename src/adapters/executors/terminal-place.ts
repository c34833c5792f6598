import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { lastLinesIn, lastLinesOf } from './last-lines.ts'
import type { Launched, WorkerCommand, WorkerPlace } from './place.ts'
import type { TerminalDriver } from './terminal.ts'

const run = promisify(execFile)

/**
 * Windows of the terminal that the person sits at. The terminal starts the worker with its own environment: credentials
 * have to be in that; the mark of the worker travels in the command.
 * 1. The program that opens a window may stay for as long as the window stands, or end at once: nobody waits for it.
 * 2. Its words are kept. When it fails before the worker said hello, the worker did not begin.
 * 3. A window whose worker has begun is a view: its end ends nothing.
 */
export function terminalPlace(driver: TerminalDriver): WorkerPlace {
  return { launch: (command) => launch(driver, command) }
}

async function launch(driver: TerminalDriver, command: WorkerCommand): Promise<Launched> {
  const { log, env } = command
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const said = openSync(log, 'a', 0o600)
  const before = fstatSync(said).size
  const printed = openSync(`${log}.window`, 'w+', 0o600)
  rmSync(`${log}.window`)
  const launcher = await opened(driver, command, [printed, said]).finally(() => closeSync(said))
  const window = { begun: false }
  return {
    // Only its hello says which process it is.
    exited: failed(launcher, window),
    async ready() {
      window.begun = true
    },
    lastLines: async () => lastLinesOf(log, before) || silence(driver, launcher),
    async close() {
      const id = driver.idIn(lastLinesIn(printed, 0))
      closeSync(printed)
      const closing = id === null ? null : driver.close(id)
      if (!window.begun) endGroup(launcher)
      if (closing === null) return
      const [file, ...rest] = closing
      await run(file, rest, { env }).catch(() => undefined)
    },
  }
}

/** The program that opens the window, in a group of its own: what ends its leader does not close the window. */
async function opened(
  driver: TerminalDriver,
  { argv, env, cwd, title, colour }: WorkerCommand,
  [printed, said]: readonly [number, number],
): Promise<ChildProcess> {
  const marked = ['/usr/bin/env', `TROUPE_LIFE=${env['TROUPE_LIFE'] ?? ''}`, ...argv] as const
  const [program, ...args] = driver.open({ argv: [...marked], cwd, title, colour })
  const launcher = spawn(program, args, { cwd, env, detached: true, stdio: ['ignore', printed, said] })
  await new Promise<void>((resolve, reject) => launcher.once('spawn', resolve).once('error', reject))
  launcher.unref()
  return launcher
}

/** Resolves when the launcher fails before its worker has begun. One that ends in order may have left it in a window. */
function failed(launcher: ChildProcess, window: { readonly begun: boolean }): Promise<void> {
  return new Promise((resolve) => {
    launcher.once('exit', (code) => {
      if (code !== 0 && !window.begun) resolve()
    })
  })
}

function silence({ name }: TerminalDriver, { exitCode, signalCode }: ChildProcess): string {
  if (exitCode === null && signalCode === null) return `${name} is open and no worker began in it`
  return `${name} ended with ${signalCode ?? `code ${exitCode}`} and said nothing`
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {
    // The launcher has ended meanwhile.
  }
}
