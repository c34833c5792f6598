import type { Diagnostic } from '../../../protocol/words/diagnostic.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { UsageError } from '../../../protocol/words/usage-error.ts'
import { NoPlace } from '../../../runtime/runs/no-place.ts'
import { ForPersons } from '../../../runtime/runs/for-persons.ts'
import { RunHalted } from '../../../runtime/journals/run-halted.ts'
import { RunTooDeep } from '../../../runtime/runs/run-too-deep.ts'
import { exitCodeOfMistakes, exitCodes, type ExitCode } from './exit-codes.ts'

/** A mistake that a person can mend: the message names the place and the cure, the code goes to the caller. */
export class UserError extends Error {
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.usage) {
    super(message)
    this.name = 'UserError'
    this.exitCode = exitCode
  }
}

/** The mistakes that an error of the team loader carries, or null for any other error. */
export function mistakesOf(error: unknown): readonly Diagnostic[] | null {
  if (!(error instanceof Error) || !('diagnostics' in error) || !Array.isArray(error.diagnostics)) return null
  return error.diagnostics as readonly Diagnostic[]
}

/** The exit code of anything that was thrown. */
export function exitCodeOfError(error: unknown): ExitCode {
  if (error instanceof UserError) return error.exitCode
  if (error instanceof ForPersons) return exitCodes.permission
  if (error instanceof UsageError) return exitCodes.usage
  const mistakes = mistakesOf(error)
  if (mistakes) return exitCodeOfMistakes(mistakes)
  return isOfTheWorld(error) ? exitCodes.environment : exitCodes.failed
}

/** One clear line for anything that was thrown; the stack only for those who ask for it. */
export function errorLine(error: unknown, debug: boolean): string {
  if (debug && error instanceof Error && error.stack) return error.stack
  return `error: ${errorText(error)}${cureOf(error)}`
}

/** The cure behind what the disk says. A read-only place says of a new folder that the folder above does not exist. */
function cureOf(error: unknown): string {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return ''
  return makes.test(String(error.syscall)) ? (cures.get(String(error.code)) ?? '') : ''
}

/** Calls that make or change a file. The same codes mean something else of a port, a program or a watch. */
const makes =
  /^(open|write|mkdir|mkdtemp|rename|link|symlink|copyfile|unlink|rmdir|rm|ftruncate|fsync|f?chmod|f?utime)$/

const unwritable = ': make the directory writable, or choose another one'

const cures: ReadonlyMap<string, string> = new Map([
  ['EACCES', unwritable],
  ['EPERM', unwritable],
  ['EROFS', unwritable],
  ['ENOSPC', ': make room on the disk'],
  ['EDQUOT', ': make room within the quota'],
])

/** The disk, the network, or a model that cannot be reached: neither the command line nor the team is wrong. */
function isOfTheWorld(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (
    error instanceof RunHalted ||
    error instanceof RunTooDeep ||
    error instanceof NoPlace ||
    ('syscall' in error && 'code' in error) ||
    'failure' in error
  )
}
