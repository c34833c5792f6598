import type { Evidence } from './task.ts'

/** The ports of `machines/task/task.ts`, like those of `protocol/port.ts`: the evidence of a task is checked. */
export interface CheckEvidenceInput {
  readonly task: number
  /** The member that did the work. */
  readonly by: string
  readonly evidence: readonly Evidence[]
  /** Declared checks, each with its command. */
  readonly checks: Readonly<Record<string, string>>
}
/** `reason` is for the member: what does not hold, and how it was found. */
export type CheckEvidenceOutput = { readonly ok: true } | { readonly ok: false; readonly reason: string }
