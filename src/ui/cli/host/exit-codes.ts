import type { Diagnostic } from '../../../protocol/words/diagnostic.ts'
import type { FailureCode } from '../../../protocol/conversation/failure.ts'
import type { RunResult } from '../../../protocol/team/run.ts'

/** Exit codes of the process; a published contract. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  permission: 3,
  budget: 4,
  environment: 5,
  interrupted: 130,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

const byStatus = {
  completed: exitCodes.done,
  failed: exitCodes.failed,
  aborted: exitCodes.interrupted,
  budget: exitCodes.budget,
  permission: exitCodes.permission,
  interrupted: exitCodes.interrupted,
} as const satisfies Record<RunResult['status'], ExitCode>

/** Failures that neither the team nor its task is to blame for: no server, no key, no such model there. */
const environmentalFailures: ReadonlySet<FailureCode> = new Set([
  'missing_credential',
  'unauthorized',
  'forbidden',
  'not_found',
  'connection_lost',
  'timed_out',
  'not_checked',
])

/** The exit code of a finished run. */
export function exitCodeOf({ status, failure }: Pick<RunResult, 'status' | 'failure'>): ExitCode {
  const isOfTheWorld = status === 'failed' && failure !== undefined && environmentalFailures.has(failure.code)
  return isOfTheWorld ? exitCodes.environment : byStatus[status]
}

/** Mistakes of a team file that lie in the surroundings, not in the file. */
const environmental = new Set(['no_model', 'missing_credential'])

/** The exit code for a team that cannot run: 5 when nothing but the environment is wrong with it. */
export function exitCodeOfMistakes(mistakes: readonly Pick<Diagnostic, 'severity' | 'code'>[]): ExitCode {
  const errors = mistakes.filter(({ severity }) => severity === 'error')
  return errors.every(({ code }) => environmental.has(code)) ? exitCodes.environment : exitCodes.usage
}
