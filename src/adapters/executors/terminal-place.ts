import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { systemEnv } from '../fs/system-programs.ts'
import { endProcess } from '../process/end-process.ts'
import { processStart, type ProcessIdentity } from '../process/liveness.ts'
import { detachedPlace } from './detached.ts'
import type { WorkerCommand, WorkerPlace } from './place.ts'
import type { TerminalDriver } from './terminal.ts'

const run = promisify(execFile)
/** For a window to close by itself. */
const graceMs = 2_000

export interface TerminalPlaceOptions {
  /** The environment of whoever sits at the terminal: windows are the person's, never a member's. */
  readonly env: Readonly<Record<string, string | undefined>>
}

/**
 * Workers that are shown in windows of the terminal that the person sits at: each window shows one live, and the worker
 * itself is a detached process.
 * 1. A window is a view, drawn by `troupe attach`: closing it ends nothing, and what is typed in it is sent by that process
 *    as the person. A worker that could not be shown works all the same.
 * 2. A member has one window, whatever becomes of its lives. The program that opens it may stay for as long as the window
 *    stands, or end at once: nobody waits for it.
 * 3. At the end the windows close that the terminal can name, or whose program stayed.
 */
export function terminalPlace(driver: TerminalDriver, { env }: TerminalPlaceOptions): WorkerPlace {
  const workers = detachedPlace()
  const windows = new Map<string, Promise<Window | null>>()
  let closing: Promise<unknown> = Promise.resolve()
  const show = (command: WorkerCommand): Promise<Window | null> => opened(driver, command, env).catch(() => null)
  return {
    async launch(command) {
      const launched = await workers.launch(command)
      if (!windows.has(command.member)) windows.set(command.member, show(command))
      return launched
    },
    async close() {
      const shown = [...windows.values()]
      windows.clear()
      const ends = shown.map(async (opening) => {
        const window = await opening
        if (window) await closed(driver, window, env)
      })
      // A second call waits for the windows, too: the leader's process may end after it.
      closing = Promise.all([closing, ...ends])
      await closing
    },
  }
}

interface Window {
  /** The program that opened the window; null where that is gone already. */
  readonly opener: ProcessIdentity | null
  /** Holds what the opener printed: the name of the window, where the terminal says it. */
  readonly folder: string
}

/**
 * Begins in the background and ends: the opener is no child of this process, which leads a run, since whatever such a
 * process starts is the team's and nobody at it is a person.
 */
const apart = '"$@" > "$0/printed" 2> /dev/null & echo $! > "$0/pid"'

async function opened(
  driver: TerminalDriver,
  { view, cwd, title, colour }: WorkerCommand,
  env: TerminalPlaceOptions['env'],
): Promise<Window> {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-window-'))
  try {
    // The file stands before the shell in the background comes to run: the window may be closed at once.
    writeFileSync(join(folder, 'printed'), '')
    const words = ['-c', apart, folder, ...driver.open({ argv: view, cwd, title, colour })]
    await once(spawn('/bin/sh', words, { cwd, env: systemEnv(env, [cwd]), detached: true, stdio: 'ignore' }), 'exit')
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'))
    const started = processStart(pid)
    return { opener: started === null ? null : { pid, started }, folder }
  } catch (error) {
    rmSync(folder, { recursive: true })
    throw error
  }
}

/** A window that the person closed before need not be closed. */
async function closed(
  driver: TerminalDriver,
  { opener, folder }: Window,
  env: TerminalPlaceOptions['env'],
): Promise<void> {
  const id = driver.idIn(readFileSync(join(folder, 'printed'), 'utf8'))
  rmSync(folder, { recursive: true })
  const closing = id === null ? null : driver.close(id)
  if (closing === null) {
    if (opener !== null) await endProcess(opener, graceMs)
    return
  }
  const [file, ...rest] = closing
  await run(file, rest, { env: systemEnv(env, []) }).catch(() => undefined)
}
