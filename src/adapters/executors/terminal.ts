import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Launched, WorkerPlace, WorkerCommand } from './place.ts'
import type { TerminalDriver } from './terminal-drivers.ts'

const run = promisify(execFile)

/**
 * Windows of the terminal that the person sits at. The terminal starts the worker with its own environment: credentials
 * have to be in that; the mark of the worker travels in the command.
 */
export function terminalPlace(driver: TerminalDriver): WorkerPlace {
  return { launch: (command) => launch(driver, command) }
}

async function launch(driver: TerminalDriver, command: WorkerCommand): Promise<Launched> {
  const { argv, env, cwd, title, colour } = command
  const marked = ['/usr/bin/env', `TROUPE_LIFE=${env['TROUPE_LIFE'] ?? ''}`, ...argv] as const
  const [program, ...args] = driver.open({ argv: [...marked], cwd, title, colour })
  const { stdout } = await run(program, args, { env })
  const id = driver.idIn(stdout)
  const closing = id === null ? null : driver.close(id)
  return {
    // Only its hello says which process it is.
    exited: new Promise(() => undefined),
    async close() {
      if (closing === null) return
      const [file, ...rest] = closing
      await run(file, rest, { env }).catch(() => undefined)
    },
  }
}
