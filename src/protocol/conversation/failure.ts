import { z } from 'zod'

/**
 * Every way in which the world can fail a model call or a member, as a closed list.
 * The class says what may help: `retry` the same thing, `shrink` the request, or nothing (`final`).
 */
export const failureClasses = {
  rate_limited: 'retry',
  overloaded: 'retry',
  server_error: 'retry',
  connection_lost: 'retry',
  timed_out: 'retry',
  stream_broken: 'retry',
  context_exceeded: 'shrink',
  output_exceeded: 'shrink',
  unauthorized: 'final',
  forbidden: 'final',
  not_found: 'final',
  invalid_request: 'final',
  refused: 'final',
  budget_exhausted: 'final',
  aborted: 'final',
  script_mismatch: 'final',
  missing_credential: 'final',
  crashed: 'final',
  /** The command that checks the work did not pass in the end. */
  unverified: 'final',
  /** The work ended without the answer that was owed, though it was asked for. */
  no_answer: 'final',
  /** The answer does not have the shape that was asked for, though it was asked for twice. */
  broken_shape: 'final',
  /** The command that checks the work could not be started. */
  not_checked: 'final',
} as const

export type FailureCode = keyof typeof failureClasses
export type FailureClass = (typeof failureClasses)[FailureCode]

export const failureSchema = z.object({
  code: z.enum(Object.keys(failureClasses) as [FailureCode, ...FailureCode[]]),
  message: z.string(),
  /** A step with which a person can mend the failure, when there is one. */
  remedy: z.string().optional(),
  status: z.number().int().optional(),
  retry_after_ms: z.number().optional(),
  /** The same as a moment, from a server that says nothing of its own time. */
  retry_at: z.number().optional(),
  /** The vendor's own name for the request. */
  request_id: z.string().optional(),
  /** False when the server said that trying again is of no use, whatever the class says. */
  retry: z.boolean().optional(),
})

/** A failure travels as data: it is returned, journaled and shown, never thrown across a port. */
export type Failure = z.infer<typeof failureSchema>

/** A failure with its remedy, for people: `failureText(failed)` → `401 no such key. Check the API key (https://…)`. */
export function failureText({ message, remedy }: Failure): string {
  return remedy === undefined ? message : `${message.replace(/\.$/, '')}. ${remedy}`
}

/** `failure('timed_out', 'no first byte in 60 s')`. */
export function failure(code: FailureCode, message: string, more: Omit<Failure, 'code' | 'message'> = {}): Failure {
  return { code, message, ...more }
}
