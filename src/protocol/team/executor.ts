/** Where members may run without anybody's doing; a program may add names of its own. */
export const executorKinds = ['in-process', 'process', 'tmux', 'tmux-panes', 'terminal', 'auto'] as const
export const restartKinds = ['never', 'on-crash', 'always'] as const
export const isolationKinds = ['none', 'worktree'] as const

/** A worker to be started anywhere: the rest stands in the run directory. */
export interface SpawnManifest {
  readonly member: string
  readonly runDir: string
  readonly attempt: number
  /** The life before was stopped: this one begins from nothing. */
  readonly fresh?: boolean
  /** A person restarted the member: what had begun is not done again, as it may be what it hung in. */
  readonly restarted?: boolean
}

/** A worker that is to go. */
export interface Termination {
  readonly member: string
  readonly reason: string
  /** At once, as a crash would end it: its next life takes up its work. */
  readonly cut?: true
}

/** A place where workers live. The coordinator does not know which one: workers are spoken to by mail alone. */
export interface Executor {
  /** Resolves when the worker is ready; rejects with the reason when the worker never becomes so. */
  spawn(manifest: SpawnManifest): Promise<void>
  /**
   * Resolves when the worker is gone; `false` when there was none.
   * @param cut at once, where it is: its next life takes up its work
   */
  terminate(member: string, reason: string, cut?: boolean): Promise<boolean>
}

/** A start that failed, and would fail again. */
export class HopelessStart extends Error {
  readonly hopeless = true
}

/** Whether a failed start need not be tried again. */
export function isHopeless(error: unknown): boolean {
  return error instanceof HopelessStart
}
