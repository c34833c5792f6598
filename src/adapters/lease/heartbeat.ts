import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type * as LockFile from 'proper-lockfile'
import { errorText } from '../../protocol/words/error-text.ts'
import { isAlive, ownMachine, ownProcess, type ProcessIdentity } from '../process/liveness.ts'

/** The age from which a heartbeat counts as dead. */
export const staleMs = 10_000
const updateMs = 5_000

/** A process that can be told from every other one on every machine. */
export interface Beating extends ProcessIdentity {
  readonly machine: string
}

const options = { realpath: false, stale: staleMs, update: updateMs } as const

/**
 * Keeps a lock of this process fresh, for machines that share the run directory and cannot see its process id. A
 * process has one lock for all its agents: epochs separate agents, the lock only says that the process lives. The locks
 * of killed processes of this machine are removed at the beginning and at the end.
 * @param dir `<run>/lease`
 * @param onProblem hears when the lock cannot be kept fresh; no process of this machine depends on it
 * @returns the end of the heartbeat: at once, for a process that ends in the next moment
 */
export function keepHeartbeat(dir: string, onProblem: (message: string) => void): () => void {
  const locks = join(dir, folder)
  const file = heartbeatFile(dir, { ...ownProcess(), machine: ownMachine() })
  let over = false
  let unlock = (): void => undefined
  const begin = ({ lockSync }: typeof LockFile): void => {
    if (over) return
    mkdirSync(locks, { recursive: true, mode: 0o700 })
    forgetDead(locks)
    unlock = lockSync(file, { ...options, onCompromised: ({ message }) => onProblem(message) })
  }
  import('proper-lockfile').then(begin).catch((error: unknown) => {
    onProblem(errorText(error))
  })
  return () => {
    over = true
    try {
      unlock()
      forgetDead(locks)
    } catch {
      // The lock never began, or was compromised: `onProblem` heard of both.
    }
  }
}

/** Whether a process of another machine gave a sign of life within the last ten seconds. */
export function hasHeartbeat(dir: string, process: Beating): boolean {
  const { checkSync } = createRequire(import.meta.url)('proper-lockfile') as typeof LockFile
  return checkSync(heartbeatFile(dir, process), options)
}

const folder = '.processes'

function heartbeatFile(dir: string, { pid, started, machine }: Beating): string {
  return join(dir, folder, `${pid}.${started}.${shortName(machine)}`)
}

function shortName(machine: string): string {
  return createHash('sha256').update(machine).digest('hex').slice(0, 8)
}

const lockName = /^(\d+)\.(\d+)\.([0-9a-f]{8})\.lock$/

function forgetDead(locks: string): void {
  for (const name of readdirSync(locks)) {
    const [, pid, started, machine] = lockName.exec(name) ?? []
    const isOurs = machine === shortName(ownMachine())
    if (isOurs && !isAlive(Number(pid), Number(started))) rmSync(join(locks, name), { recursive: true, force: true })
  }
}
