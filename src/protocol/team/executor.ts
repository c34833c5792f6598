import type { Envelope } from '../mail/envelope.ts'

export const executorKinds = ['in-process', 'process', 'tmux', 'terminal', 'auto'] as const
export const restartKinds = ['never', 'on-crash', 'always'] as const
export const isolationKinds = ['none', 'worktree'] as const

/** Everything a worker needs to be started anywhere: the rest is in the run directory. */
export interface SpawnManifest {
  readonly member: string
  readonly runDir: string
  readonly attempt: number
}

/**
 * Where workers live. The coordinator does not know which one it is: mail is the only way to talk,
 * `send` merely rings the worker's doorbell after a message was written.
 */
export interface Executor {
  readonly kind: string
  /** Resolves when the worker is ready; rejects with the reason when it never becomes so. */
  spawn(manifest: SpawnManifest): Promise<void>
  send(member: string, envelope: Envelope): void
  /** Resolves when the worker is gone; `false` when it was not there. */
  terminate(member: string, reason: string): Promise<boolean>
  isActive(member: string): boolean
}
