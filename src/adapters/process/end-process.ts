import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { errorCode } from '../fs/error-code.ts'
import { isAlive, processStart, type ProcessIdentity } from './liveness.ts'
import { isBelowOthers } from './lowered-limit.ts'

const lookMs = 20

/** The variable in the environment of a worker, and of everything it starts, that says whose it is. */
export const markVariable = 'TROUPE_LIFE'

/**
 * Ends a process and its group: TERM, and after `graceMs` KILL. Only exactly this process is touched, never a later
 * one with its id.
 * @returns false when it lives on although it was killed (it belongs to somebody else)
 */
export async function endProcess(process: ProcessIdentity, graceMs: number): Promise<boolean> {
  signalGroup(process, 'SIGTERM')
  if (await isGoneWithin(process, graceMs)) return true
  signalGroup(process, 'SIGKILL')
  return isGoneWithin(process, graceMs)
}

/** Ends the processes with this word on their command line, each with its group. Found where the system shows them (/proc). */
export async function endCalled(word: string, graceMs: number): Promise<void> {
  const found = processIds().filter((pid) => linesOf(`/proc/${pid}/cmdline`).includes(word))
  await Promise.all(found.map((pid) => endProcess({ pid, started: processStart(pid) ?? 0 }, graceMs)))
}

/** Waits until a process is gone, for `ms` at most. */
export async function isGoneWithin({ pid, started }: ProcessIdentity, ms: number): Promise<boolean> {
  for (let waited = 0; isAlive(pid, started); waited += lookMs) {
    if (waited >= ms) return false
    await pause(lookMs)
  }
  return true
}

/** Sends a signal to the group that a process leads, or to the process alone when it leads none. */
function signalGroup({ pid, started }: ProcessIdentity, signal: NodeJS.Signals): void {
  if (!isAlive(pid, started)) return
  try {
    process.kill(-pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') return
    killOne(pid, signal)
  }
}

/**
 * Kills whatever carries a mark in its environment: what a worker started and could not end itself, because it was
 * killed. Found where the system shows environments (/proc); elsewhere the process group has to do.
 * @returns how many there were
 */
export function killMarked(mark: string): number {
  const found = markedProcesses(mark)
  const family = found.length === 0 ? [] : descendantsOf(found)
  for (const pid of found) killOne(pid, 'SIGKILL')
  killEach(family)
  return found.length
}

/**
 * The processes that come from some, by their parents. What left its group and session, and cleared its environment, is
 * found as long as each parent between them lives.
 */
export function descendantsOf(pids: readonly number[]): readonly ProcessIdentity[] {
  const children = Map.groupBy(processIds(), parentOf)
  const found = [...pids]
  // The list grows while it is walked.
  for (const each of found) found.push(...(children.get(each) ?? []))
  return found.slice(pids.length).flatMap((pid) => {
    const started = pid === process.pid ? null : processStart(pid)
    return started === null ? [] : [{ pid, started }]
  })
}

/** Kills exactly these processes, and none that has an id of theirs by now. */
export function killEach(processes: readonly ProcessIdentity[]): void {
  for (const { pid, started } of processes) if (isAlive(pid, started)) killOne(pid, 'SIGKILL')
}

/** The processes that carry a mark, this one excluded. */
export function markedProcesses(mark: string): readonly number[] {
  return allMarked().get(mark) ?? []
}

/**
 * Whether this process was begun by a member: it, or a process that it comes from, carries a mark or is one of ours. What a
 * program takes out of its own environment is still found with its parents, where the system shows them (/proc), and what has left
 * its parents by the limit that a member's commands run under.
 */
export function isWithinMember(env: Readonly<Record<string, string | undefined>>): boolean {
  if (env[markVariable] !== undefined) return true
  if (markOf(process.pid) !== undefined) return true
  for (let child = process.pid, pid = parentOf(child); pid > 0; child = pid, pid = parentOf(pid)) {
    if (markOf(pid) !== undefined || runsTeams(pid, child)) return true
  }
  return isBelowOthers()
}

/** All processes that carry a mark, this one excluded, by mark; empty where the system does not show environments. */
export function allMarked(): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  for (const pid of processIds()) {
    const mark = pid === process.pid ? undefined : markOf(pid)
    if (mark === undefined || !isRunning(pid)) continue
    const others = found.get(mark)
    if (others) others.push(pid)
    else found.set(mark, [pid])
  }
  return found
}

/**
 * Whether a process is this program leading a run, by its command line: a person starts it from a shell, and only members
 * from itself. A process that detaches a run leads none: it starts the leader and ends. Nor does a screen or a server lead the run
 * that its child resumes; any other child of theirs is a program that they use, and no person. Command lines can be feigned:
 * a process that leads none takes nothing away from those above it.
 */
function runsTeams(pid: number, child: number): boolean {
  const words = troupeWords(pid)
  if (!words || words.some((word) => word === '--detach' || word === '-d')) return false
  return !/^(attach|serve)$/.test(words[0] ?? '') || troupeWords(child)?.[0] !== 'resume'
}

/** The words behind the name of this program on a command line; null for any other program. */
function troupeWords(pid: number): readonly string[] | null {
  const [program = '', ...args] = linesOf(`/proc/${pid}/cmdline`)
  const script = args.findIndex((arg) => !arg.startsWith('-'))
  if (!/(^|\/)node[\d.]*$/.test(program) || !isTroupe(args[script] ?? '')) return null
  return args.slice(script + 1)
}

function isTroupe(script: string): boolean {
  return /(^|\/)(ui\/cli\/(bin|worker)\.[jt]s|troupe)$/.test(script)
}

/** See proc_pid_stat(5); 0 where there is no parent, or nobody can tell. */
function parentOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || 0
  } catch {
    // No /proc on this system, or it is closed to us.
    return 0
  }
}

const assignment = `${markVariable}=`

function markOf(pid: number): string | undefined {
  return environmentOf(pid)
    .find((line) => line.startsWith(assignment))
    ?.slice(assignment.length)
}

function isRunning(pid: number): boolean {
  return processStart(pid) !== null
}

function processIds(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isSafeInteger)
  } catch {
    // No /proc on this system.
    return []
  }
}

function environmentOf(pid: number): readonly string[] {
  return linesOf(`/proc/${pid}/environ`)
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\0')
  } catch {
    // The process ended, or belongs to another user.
    return []
  }
}

function killOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process ended meanwhile.
  }
}
