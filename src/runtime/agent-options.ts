import { resolve } from 'node:path'
import { nobodyApprover } from '../adapters/approvers/nobody.ts'
import type { Model } from '../protocol/model.ts'
import type { PermissionMode, RuleLists } from '../protocol/permission.ts'
import type { Approver } from '../protocol/port.ts'
import type { Tool } from '../protocol/tool.ts'
import { systemClock, type Clock } from './clock.ts'

/** A single agent: what it answers with, what it may use, where it works. */
export interface AgentOptions {
  /** `provider/model`, or an object that implements `Model`. */
  readonly model: string | Model
  readonly system?: string
  /** Tools by definition; none are implied. */
  readonly tools?: readonly Tool[]
  readonly permissions?: RuleLists & { readonly mode?: PermissionMode }
  /** Who answers when a rule asks; nobody by default. */
  readonly approver?: Approver
  readonly cwd?: string
  readonly home?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Where the journal `<name>.jsonl` lies; without one it is kept in memory. */
  readonly runDir?: string
  readonly name?: string
  /** Model answers per run (default 40). */
  readonly maxTurns?: number
  /** Concurrency-safe tool calls that may run at the same time (default 10). */
  readonly maxParallelCalls?: number
  readonly clock?: Clock
}

export type FrozenOptions = Required<Omit<AgentOptions, 'runDir'>> & { readonly runDir: string | null }

/** Options resolved once; nothing reads the environment later. */
export function freezeOptions(options: AgentOptions): FrozenOptions {
  const { env = process.env, runDir } = options
  return {
    model: options.model,
    system: options.system ?? '',
    tools: options.tools ?? [],
    permissions: options.permissions ?? {},
    approver: options.approver ?? nobodyApprover(),
    cwd: resolve(options.cwd ?? process.cwd()),
    home: options.home ?? env['HOME'] ?? '/',
    env,
    runDir: runDir === undefined ? null : resolve(runDir),
    name: options.name ?? 'agent',
    maxTurns: options.maxTurns ?? 40,
    maxParallelCalls: options.maxParallelCalls ?? 10,
    clock: options.clock ?? systemClock(),
  }
}
