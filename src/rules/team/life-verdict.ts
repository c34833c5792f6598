/** A process as the files of a run name it. */
export interface PlacedProcess {
  readonly pid: number
  /** An opaque number that tells a later process of the same id apart. */
  readonly started: number
  /** Where `pid` means this process: boot and process namespace. Absent in files of earlier versions: this machine. */
  readonly machine?: string | undefined
  /** The installation of the system behind it, where that has an identity of its own. */
  readonly host?: string | undefined
}

/** Whether a process lives, as far as its name alone tells. */
export type LifeVerdict = 'alive' | 'dead' | 'watch'

/**
 * Judges whether a process lives. In the same boot and process namespace its id and start time tell. On the same host
 * another boot is over, and every process of it. Anywhere else only its sign of life tells: it has to be watched.
 *
 * @param here this process
 * @param isAlive asks the process table of this machine
 * @example judgeLife(holder, ownProcess(), isAlive)
 */
export function judgeLife(
  { pid, started, machine, host }: PlacedProcess,
  here: PlacedProcess,
  isAlive: (pid: number, started: number) => boolean,
): LifeVerdict {
  if (machine === undefined || machine === here.machine) return isAlive(pid, started) ? 'alive' : 'dead'
  const isSameHost = host !== undefined && host === here.host
  return isSameHost && bootOf(machine) !== bootOf(here.machine) ? 'dead' : 'watch'
}

function bootOf(machine = ''): string {
  return machine.replace(/-\d+$/, '')
}
