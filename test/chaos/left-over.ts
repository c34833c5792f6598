import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { processStart } from '../../src/adapters/process/liveness.ts'
import { listWorktrees, worktreesRoot } from '../../src/adapters/worktrees/worktree-files.ts'
import { livingHolder } from '../../src/runtime/runs/leader.ts'
import { tmuxSocket } from '../../src/runtime/runs/place-members.ts'

/** What a run that is over has left; all of it must be zero. */
export interface LeftOver {
  /** Of leaders, workers, their commands and their tmux server. */
  processes: number
  panes: number
  /** Lock files, and leases that keep others out. */
  locks: number
  /** Working trees, and branches of members. */
  worktrees: number
  /** Of files, by processes that were left. */
  watchers: number
  /** Sockets for live text. */
  sockets: number
}

export function nothingLeft(): LeftOver {
  return { processes: 0, panes: 0, locks: 0, worktrees: 0, watchers: 0, sockets: 0 }
}

/** Looks for what a run left in its directory and on the machine. */
export function leftOver(cwd: string, dir: string): LeftOver {
  const processes = processesOf(cwd)
  return {
    processes: processes.length,
    panes: panesOf(dir),
    locks: locksIn(cwd) + heldIn(dir),
    worktrees: listWorktrees(worktreesRoot(cwd)).length + treesOf(cwd),
    watchers: processes.reduce((sum, pid) => sum + watchersOf(pid), 0),
    sockets: namesIn(join(cwd, 'home', 'live', 'troupe')).length,
  }
}

/** Everything that a run starts has its home directory in the environment. */
export function processesOf(cwd: string): readonly number[] {
  const mark = `HOME=${join(cwd, 'home')}`
  return namesIn('/proc')
    .map(Number)
    .filter((pid) => Number.isSafeInteger(pid) && environmentOf(pid).includes(mark) && processStart(pid) !== null)
}

/** What a process was started as. */
export function commandOf(pid: number): string {
  return textOf(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').slice(0, 300)
}

function environmentOf(pid: number): readonly string[] {
  return textOf(`/proc/${pid}/environ`).split('\0')
}

function panesOf(dir: string): number {
  const { status, stdout } = spawnSync('tmux', ['-L', tmuxSocket(basename(dir)), 'list-panes', '-a'], {
    encoding: 'utf8',
  })
  return status === 0 ? stdout.trimEnd().split('\n').length : 0
}

function locksIn(cwd: string): number {
  const names = readdirSync(cwd, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => name.endsWith('.lock')).length
}

function heldIn(dir: string): number {
  return namesIn(join(dir, 'lease')).filter((name) => livingHolder(dir, name) !== null).length
}

function treesOf(cwd: string): number {
  if (!existsSync(join(cwd, '.git'))) return 0
  const git = (...args: readonly string[]): number =>
    execFileSync('git', args, { cwd, encoding: 'utf8' }).split('\n').length - 1
  return git('worktree', 'list') - 1 + git('for-each-ref', '--format=%(refname)', 'refs/heads/troupe/', 'refs/troupe/')
}

function watchersOf(pid: number): number {
  return namesIn(`/proc/${pid}/fd`).filter((fd) => linkOf(`/proc/${pid}/fd/${fd}`).includes('inotify')).length
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // It is not there, or the process ended.
    return []
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It ended, or it belongs to somebody else.
    return ''
  }
}

function linkOf(file: string): string {
  try {
    return readlinkSync(file)
  } catch {
    // It was closed meanwhile.
    return ''
  }
}
