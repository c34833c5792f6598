import { z } from 'zod'
import type { ToolOutput } from '../../protocol/tool.ts'
import { limitOutput, limitsFor } from '../process/output-limiter.ts'
import { runCommand, type CommandEnd } from '../process/run-command.ts'
import { answer, complaint } from './answer.ts'
import { defineTool } from './define-tool.ts'
import { isReadOnlyLine, staysAside } from './read-only-line.ts'
import { rememberDirectory, shellCommand, shellDirectory } from './shell.ts'

const maxResultChars = 30_000
const footerRoom = 300
const defaultTimeout = 120_000
const maxTimeout = 600_000

/** Runs a shell command. */
export const bash = defineTool({
  name: 'Bash',
  aliases: ['shell'],
  description: [
    'Runs a command with bash and answers with everything it printed, errors included, in order.',
    'A non-zero exit code is shown in the last line as [exit N]. The working directory is kept for the next call; variables are not.',
    'There is no terminal and no input: use flags such as --yes, and no editors or pagers.',
    'Everything the command started is stopped when it ends, so nothing can be left running in the background.',
    `Long output is cut in the middle. After ${defaultTimeout / 1_000} seconds (or timeout) the command is stopped.`,
    'Prefer Read, Write, Edit, Glob and Grep to cat, echo, sed, find and grep.',
  ].join('\n'),
  input: z.strictObject({
    command: z.string().min(1).describe('The command line.'),
    timeout: z
      .number()
      .int()
      .min(1)
      .max(maxTimeout)
      .optional()
      .describe(`Milliseconds before it is stopped (default ${defaultTimeout}, at most ${maxTimeout}).`),
    description: z.string().optional().describe('What the command does, in a few words, for the people who watch.'),
  }),
  effect: 'execute',
  isConcurrencySafe: (input) => staysAside(input.command),
  isReadOnly: (input) => isReadOnlyLine(input.command),
  interrupt: 'cancel',
  maxResultChars,
  // The command has a time limit of its own, chosen per call.
  timeout: null,
  check: async (input) => (input.command.includes('\0') ? 'command contains a zero byte.' : null),
  async run(input, context) {
    const output = limitOutput(limitsFor(maxResultChars - footerRoom))
    const timeoutMs = input.timeout ?? defaultTimeout
    const { cwd, note } = await shellDirectory(context)
    const end = await runCommand(shellCommand(input.command), {
      cwd,
      env: withoutStartupFiles(context.env),
      signal: context.signal,
      timeoutMs,
      sideChannel: true,
      onOutput(text) {
        output.push(text)
        context.progress(text)
      },
    })
    if (end.failure !== null) return complaint(`The shell could not be started in ${cwd}: ${end.failure}`)
    rememberDirectory(context, end.side)
    return report([note, output.text() + end.errors], end, timeoutMs)
  },
})

function report(parts: readonly string[], end: CommandEnd, timeoutMs: number): ToolOutput {
  const printed = parts
    .filter((part) => part !== '')
    .join('\n')
    .replace(/\n+$/, '')
  const footer = footerOf(end, timeoutMs)
  const text = [printed, footer].filter((part) => part !== '').join('\n')
  const ended = end.stopped === null && end.signal === null
  return ended ? answer(text === '' ? '[no output]' : text) : complaint(text)
}

function footerOf(end: CommandEnd, timeoutMs: number): string {
  if (end.stopped === 'timeout') return `[stopped after ${timeoutMs / 1_000} s, with everything it had started]`
  if (end.stopped === 'abort') return '[interrupted, with everything it had started]'
  if (end.signal !== null) return `[ended by ${end.signal}]`
  return end.exitCode === 0 ? '' : `[exit ${end.exitCode}]`
}

/** Bash reads the file that BASH_ENV names even for a single command. */
function withoutStartupFiles(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'BASH_ENV'))
}
