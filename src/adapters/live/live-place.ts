import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { isAlive, ownMachine, ownProcess } from '../process/liveness.ts'

/*
 * Owns where live sockets lie. Never opens one.
 * 1. A path is short: the system takes about a hundred characters. 2. The folder is ours alone (0700), or there is no
 * socket. 3. A socket's name says whose process it is, so that those of dead processes can be taken away.
 */

const longestPath = 99
const socketName = /^([0-9a-f]{6})-(\d+)-(\d+)-[0-9a-f]{10}\.sock$/

/** Whose socket it is, and what the environment says of places. */
export interface LiveOwner {
  /** The run directory. */
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
  const name = `${machineName()}-${pid}-${started}-${hash(`${dir}\0${owner}`, 10)}.sock`
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
export function readyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const state = lstatSync(folder)
  const foreign = process.getuid !== undefined && state.uid !== process.getuid()
  if (!state.isDirectory() || foreign || (state.mode & 0o077) !== 0) {
    throw new Error(`${folder} is not a folder of yours alone; remove it, or make it so with chmod 700`)
  }
  forgetDead(folder)
}

/** Takes away what dead processes of this machine left in the folder of live sockets. */
export function forgetDead(folder: string): void {
  for (const name of readdirSync(folder)) if (isLeftOver(name)) remove(join(folder, name))
}

/** Only of this machine: a folder may be shared with containers, whose process ids mean others. */
function isLeftOver(name: string): boolean {
  const [, machine, pid, started] = socketName.exec(name) ?? []
  return machine === machineName() && !isAlive(Number(pid), Number(started))
}

function remove(path: string): void {
  try {
    rmSync(path)
  } catch (error) {
    // Somebody else took it away at the same time.
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

function machineName(): string {
  return hash(ownMachine(), 6)
}

function hash(text: string, digits: number): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}
