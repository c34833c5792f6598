import type { ToolOutput } from '../../../protocol/tools/tool.ts'
import type { CommandEnd } from '../../process/run-command.ts'
import { codeOfSignal } from '../../../rules/shell/walk/exit-signal.ts'
import { exitFails } from '../../../rules/shell/walk/exit-fails.ts'
import { answer, complaint } from '../define/answer.ts'

/** The printed text of a command, with its ending in the last line. An exit code is no error of the tool. */
export function commandReport(
  { command, parts }: { readonly command: string; readonly parts: readonly string[] },
  end: CommandEnd,
  timeoutMs: number | null,
): ToolOutput {
  const printed = parts
    .filter((part) => part !== '')
    .join('\n')
    .replace(/\n+$/, '')
  const footer = commandFooter(end, timeoutMs)
  const text = [printed, footer].filter((part) => part !== '').join('\n')
  const ended = end.stopped === null && end.signal === null
  return { ...(ended ? answer(text === '' ? '[no output]' : text) : complaint(text)), ...exitOf(command, end) }
}

/** The exit code of a command, unless it is 0 or the command was stopped, and whether the code is a failure. */
export function exitOf(command: string, { exitCode, signal, stopped }: CommandEnd): Pick<ToolOutput, 'exit'> {
  const code = exitCode ?? (signal === null || stopped !== null ? null : (codeOfSignal(signal) ?? null))
  return code === null || code === 0 ? {} : { exit: { code, failed: exitFails(command, code) } }
}

/** A command that runs for so many milliseconds says how long it took. */
const telling = 5_000

/** `[exit 3]`, with the time where that was long; nothing for a plain success. @example commandFooter(end, null) // '[exit 3, 12.4 s]' */
export function commandFooter(end: CommandEnd, timeoutMs: number | null): string {
  if (end.failure !== null) return `[not started: ${end.failure}]`
  if (end.stopped === 'timeout') return `[stopped after ${(timeoutMs ?? 0) / 1_000} s, with everything it had started]`
  if (end.stopped === 'abort') return '[interrupted, with everything it had started]'
  if (end.signal !== null) return `[ended by ${end.signal}]`
  const { exitCode, ms = 0 } = end
  const said = [exitCode === 0 ? '' : `exit ${exitCode}`, ms < telling ? '' : `${(ms / 1_000).toFixed(1)} s`]
  const footer = said.filter((part) => part !== '').join(', ')
  return footer === '' ? '' : `[${footer}]`
}
