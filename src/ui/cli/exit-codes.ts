import type { Diagnostic } from '../../protocol/diagnostic.ts'
import type { RunStatus } from '../../protocol/fact.ts'

/** What the process tells its caller; a published contract. */
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
} as const satisfies Record<RunStatus, ExitCode>

/** The exit code of a finished run. */
export function exitCodeOf(status: RunStatus): ExitCode {
  return byStatus[status]
}

/** Mistakes of a team file that lie in the surroundings, not in the file. */
const environmental = new Set(['no_model', 'missing_credential'])

/** The exit code for a team that cannot run: 5 when nothing but the environment is wrong with it. */
export function exitCodeOfMistakes(mistakes: readonly Pick<Diagnostic, 'severity' | 'code'>[]): ExitCode {
  const errors = mistakes.filter(({ severity }) => severity === 'error')
  return errors.every(({ code }) => environmental.has(code)) ? exitCodes.environment : exitCodes.usage
}
