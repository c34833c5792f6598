import { spawn } from 'node:child_process'
import { closeSync, fstatSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { processStart } from '../process/liveness.ts'
import { lastLinesOf } from './last-lines.ts'
import type { Launched, ProcessEnd, WorkerPlace, WorkerCommand } from './place.ts'

/**
 * Processes without a pane: each leads a session and a group of its own, so that no terminal and no end of its leader
 * takes it along; its words go to a log file.
 */
export function detachedPlace(): WorkerPlace {
  return { launch }
}

async function launch({ argv, cwd, env, log }: WorkerCommand): Promise<Launched> {
  mkdirSync(dirname(log), { recursive: true, mode: 0o700 })
  const fd = openSync(log, 'a', 0o600)
  const before = fstatSync(fd).size
  const [file, ...args] = argv
  const child = spawn(file, args, { cwd, env, detached: true, stdio: ['ignore', fd, fd] })
  closeSync(fd)
  const exited = new Promise<ProcessEnd>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  await new Promise<void>((resolve, reject) => child.once('spawn', resolve).once('error', reject))
  // The leader may leave before the worker does.
  child.unref()
  const { pid } = child
  const started = pid === undefined ? null : processStart(pid)
  return {
    process: pid === undefined || started === null ? null : { pid, started },
    exited,
    lastLines: () => Promise.resolve(lastLinesOf(log, before)),
  }
}
