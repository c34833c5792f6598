import type { ProcessIdentity } from '../process/liveness.ts'

/** The command, directory and environment of a worker's process. */
export interface WorkerCommand {
  readonly member: string
  readonly argv: readonly [string, ...string[]]
  /** Shows the member on a terminal: a view, whose end ends nothing. */
  readonly view: readonly [string, ...string[]]
  /** The whole environment, credentials included: no place writes it down or shows it in a command line. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Where a worker without a pane leaves its words. */
  readonly log: string
  /** `name@team` */
  readonly title: string
  /** Tells members apart: the place of the member in its team. */
  readonly colour: number
}

/** The end of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null
  readonly signal: string | null
}

/** A started process, which is no worker before it has said hello. */
export interface Launched {
  /** Absent or null where a place does not know; then only its hello tells. */
  readonly process?: ProcessIdentity | null
  /** Resolves when the place saw it end, with how where the place knows; the executor looks for itself, too. */
  readonly exited: Promise<ProcessEnd | void>
  /** Called when the worker has begun: remains that were kept for a failed start are no longer needed. */
  ready?(): Promise<void>
  /** The end of what it said, for a report of its failure. */
  lastLines?(): Promise<string>
  /** Removes what the place made for it. */
  close?(): Promise<void>
}

/**
 * Somewhere that processes of workers can be started: it starts them and knows nothing else of them. They need the run
 * directory, the user's directory and the process ids of this machine.
 */
export interface WorkerPlace {
  launch(command: WorkerCommand): Promise<Launched>
  /** Milliseconds until a worker must have said hello, where a place needs more or less than others (default 30,000). */
  readonly helloMs?: number
  /** Removes what is left of the place when the run is over. */
  close?(): Promise<void>
}
