import type { CommandWrap } from '../../../protocol/tools/tool.ts'
import { limitOutput, type OutputLimits } from '../../process/output-limiter.ts'
import { runCommand } from '../../process/run-command.ts'
import { commandFooter } from './command-report.ts'
import { runWrapped } from './run-wrapped.ts'
import { shellCommand } from './shell.ts'

/** A command line whose exit code says whether something holds. */
export interface CheckLine {
  readonly command: string
  readonly cwd: string
  /** Without credentials. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs: number
  /** How much of what it prints is kept. */
  readonly shown: OutputLimits
  /** Puts it into a sandbox, where there is one to be. */
  readonly wrapCommand?: CommandWrap | undefined
  /** Hears what it prints as it comes. */
  readonly onOutput?: (text: string) => void
}

/**
 * Runs a permitted command line to its end, as `Bash` runs one, from a directory of its own.
 *
 * @returns `passed` for exit code 0 alone; `report` is the beginning and end of what it printed, and how it ended
 * @throws when it cannot be started: the sandbox that is required, or the command itself, is not there
 * @example await runCheck({ command: 'npm test', cwd, env, signal, timeoutMs: 600_000, shown: { head: 500, tail: 1_500 } })
 */
export async function runCheck(line: CheckLine): Promise<{ readonly passed: boolean; readonly report: string }> {
  const { command, cwd, env, signal, timeoutMs, wrapCommand } = line
  const argv = shellCommand(command)
  const program = wrapCommand === undefined ? { argv } : await wrapCommand({ command }, argv, { cwd })
  if ('trouble' in program) throw new Error(program.trouble)
  const output = limitOutput(line.shown)
  const onOutput = (text: string): void => {
    output.push(text)
    line.onOutput?.(text)
  }
  const end = await runWrapped(program, (wrapped) =>
    runCommand(wrapped, { cwd, env, signal, timeoutMs, sideChannel: true, onOutput }),
  )
  const footer = commandFooter(end, timeoutMs)
  if (end.failure !== null || end.exitCode === 126 || end.exitCode === 127)
    throw new Error(`it could not be started: ${end.failure ?? lastLine(end.errors + output.text(), footer)}`)
  const printed = (output.text() + end.errors).replace(/\n+$/, '')
  return { passed: footer === '', report: [printed, footer].filter((part) => part !== '').join('\n') }
}

/** The line in which a shell says that it finds no such command. */
function lastLine(printed: string, otherwise: string): string {
  return printed.trimEnd().split('\n').at(-1) || otherwise
}
