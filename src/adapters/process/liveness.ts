import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import type { PlacedProcess } from '../../rules/team/life-verdict.ts'
import { errorCode } from '../fs/error-code.ts'

/** A process that no later one can be mistaken for: process ids are reused, start times are not. */
export interface ProcessIdentity {
  readonly pid: number
  /** The value of `processStart`; comparable on one machine only. */
  readonly started: number
}

const unknownStart = 0
let own: OwnProcess | undefined
let machine: string | undefined

type OwnProcess = PlacedProcess & { readonly machine: string }

/** The identity of this process on this machine, asked of the system once. */
export function ownProcess(): OwnProcess {
  own ??= { pid: process.pid, started: processStart(process.pid) ?? unknownStart, machine: ownMachine(), ...ownHost() }
  return own
}

/** Names the installation of this system, so that an earlier boot of it is known as over; nothing where it has no name. */
function ownHost(): { readonly host?: string } {
  try {
    const id = readFileSync('/etc/machine-id', 'latin1').trim()
    if (id === '') return {}
    return { host: createHash('sha256').update(`${id}\0${hostname()}`).digest('hex').slice(0, 16) }
  } catch {
    return {}
  }
}

/**
 * Names the machine as far as process ids go: they mean the same where this is the same. On Linux the boot and the
 * process namespace (a container has its own), elsewhere the host's name.
 * @example ownMachine() // '5f1c…-4026531836'
 */
export function ownMachine(): string {
  machine ??= process.platform === 'linux' ? bootAndNamespace() : hostname()
  return machine
}

function bootAndNamespace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return `${boot}-${readlinkSync('/proc/self/ns/pid').replaceAll(/\D/g, '')}`
  } catch {
    // No /proc: the name has to do.
    return hostname()
  }
}

/**
 * When a process started, as an opaque number: clock ticks since boot on Linux (a clock that is set back
 * changes nothing), milliseconds by `ps` elsewhere, 0 where neither can tell.
 * @returns null when there is no such process, or only its unburied remains.
 * @example processStart(process.pid) // 48213377
 */
export function processStart(pid: number): number | null {
  if (!exists(pid)) return null
  return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid)
}

/**
 * Whether exactly this process still runs. A doubt counts as alive: nobody may take over from a living owner.
 * @example isAlive(member.pid, member.started)
 */
export function isAlive(pid: number, started: number): boolean {
  const now = processStart(pid)
  if (now === null) return false
  return now === unknownStart || started === unknownStart || now === started
}

function exists(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

/** See proc_pid_stat(5): the name in brackets may hold anything, so fields are counted after the last bracket. */
function startFromProc(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state, ticks] = [fields[0] ?? 'X', Number(fields[19])]
    if (state === 'Z' || state === 'X') return null
    return Number.isFinite(ticks) ? ticks : unknownStart
  } catch (error) {
    const code = errorCode(error)
    return code === 'ENOENT' || code === 'ESRCH' ? null : unknownStart
  }
}

function startFromPs(pid: number): number {
  const env = { LC_ALL: 'C', TZ: 'UTC', PATH: '/bin:/usr/bin' }
  try {
    const text = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env, stdio: 'pipe' })
    return Date.parse(`${text.trim()} UTC`) || unknownStart
  } catch {
    // No `ps`, or the process went meanwhile: a doubt.
    return unknownStart
  }
}
