import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../fs/error-code.ts'
import { namesIn } from '../fs/names-in.ts'
import { isAlive, ownMachine, ownProcess } from '../process/liveness.ts'

/*
 * Owns where live sockets lie. Never opens one.
 * 1. A path is short: the system takes about a hundred characters. 2. The folder is ours alone (0700), or there is no
 * socket. 3. A socket's name says whose process it is, so that those of dead processes can be taken away.
 */

const longestPath = 99
const socketName = /^([0-9a-f]{6})-(\d+)-(\d+)-[0-9a-f]{10}\.sock$/

/** The owner of a socket, and the environment that names places. */
export interface LiveOwner {
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
export function readyFolder(folder: string): void {
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
