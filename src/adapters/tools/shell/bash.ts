import { z } from 'zod'
import type { ToolContext, ToolOutput, WrappedCommand } from '../../../protocol/tools/tool.ts'
import { runCommand, type CommandOptions } from '../../process/run-command.ts'
import { runInTerminal } from '../../process/run-in-terminal.ts'
import { answer, complaint } from '../define/answer.ts'
import { commandOutput } from './command-output.ts'
import { commandReport } from './command-report.ts'
import { defineTool } from '../define/define-tool.ts'
import { addJob } from './member-jobs.ts'
import { runWrapped } from './run-wrapped.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { plainCommand, rememberDirectory, shellCommand, shellDirectory } from './shell.ts'
import type { BashCommand } from '../../../rules/shell/bash-command.ts'
import { runningWords } from '../../../rules/shell/bash-wrappers.ts'
import { bashCommands } from '../../../rules/shell/walk/bash-commands.ts'
import { isReadOnlyCommand } from '../../../rules/shell/read-only-commands.ts'

const maxResultChars = 30_000
const defaultTimeout = 120_000
const maxTimeout = 600_000

const input = z.strictObject({
  command: z.string().min(1).describe('The command line.'),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(maxTimeout)
    .optional()
    .describe(`Milliseconds before it is stopped (default ${defaultTimeout}, at most ${maxTimeout}).`),
  run_in_background: z
    .boolean()
    .optional()
    .describe('Return at once and let it run on; BashOutput shows what it prints, KillBash stops it.'),
  terminal: z
    .boolean()
    .optional()
    .describe('Give it a terminal, for programs that refuse to work without one; its cd does not count.'),
  dangerously_disable_sandbox: z
    .boolean()
    .optional()
    .describe('Run it outside of the sandbox; somebody is asked first. Only when the sandbox is what made it fail.'),
  description: z.string().optional().describe('What the command does, in a few words, for the people who watch.'),
})

type Wish = z.infer<typeof input>

/** Runs a shell command. */
export const bash = defineTool({
  name: 'Bash',
  aliases: ['shell'],
  description: promptText('bash', { seconds: defaultTimeout / 1_000, maxResultChars }),
  input,
  effect: 'execute',
  isConcurrencySafe: (wish) => wish.run_in_background !== true && staysAside(wish.command),
  isReadOnly: (wish) => isReadOnlyLine(wish.command),
  interrupt: 'cancel',
  maxResultChars,
  // The command has a time limit of its own, chosen per call.
  timeout: null,
  check: async (wish) => (wish.command.includes('\0') ? 'command contains a zero byte.' : null),
  async run(wish, context) {
    const { elsewhere } = context.files
    if (elsewhere?.command === null) return complaint('No command can run where the files of this agent are.')
    const place = elsewhere ? { cwd: context.cwd, note: '' } : await shellDirectory(context)
    if ('trouble' in place) return complaint(place.trouble)
    const env = steadyEnv(context.env, isReadOnlyLine(wish.command))
    if (wish.run_in_background === true) return inBackground(wish, { cwd: place.cwd, env }, context)
    return inForeground(wish, { ...place, env }, context)
  },
})

interface Where {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

async function inForeground(wish: Wish, where: Where & { note: string }, context: ToolContext): Promise<ToolOutput> {
  const output = commandOutput(context.store)
  const timeoutMs = wish.timeout ?? defaultTimeout
  const program = await fenced(wish, where, context)
  if ('trouble' in program) return complaint(program.trouble)
  const end = await started(wish, program, {
    ...program.where,
    signal: context.signal,
    timeoutMs,
    onOutput(text) {
      output.push(text)
      context.progress(text)
    },
  })
  if (end.failure !== null) return complaint(`The shell could not be started in ${where.cwd}: ${end.failure}`)
  rememberDirectory(context, end.side)
  output.push(end.errors)
  const { text, stored } = output.end()
  const report = commandReport({ command: wish.command, parts: [where.note, text] }, end, timeoutMs)
  return stored === undefined ? report : { ...report, stored }
}

function started(wish: Wish, program: WrappedCommand, options: CommandOptions) {
  return runWrapped(program, (argv) =>
    wish.terminal === true ? runInTerminal(argv, options) : runCommand(argv, { ...options, sideChannel: true }),
  )
}

/** Goes to a directory elsewhere and runs a program there; nobody listens to its descriptors. */
const beside = 'cd -- "$1" && shift && exec "$@" 3>/dev/null'

/** The shell that runs the command: beside the files where those are elsewhere, else inside a sandbox where the member has one. */
async function fenced(
  wish: Wish,
  { cwd, env }: Where,
  { wrapCommand, writers, files }: Pick<ToolContext, 'wrapCommand' | 'writers' | 'files'>,
): Promise<(WrappedCommand & { readonly where: Where }) | { readonly trouble: string }> {
  const argv = wish.terminal === true ? plainCommand(wish.command) : shellCommand(wish.command)
  const command = files.elsewhere?.command ?? null
  if (command !== null) return { argv: [...command, 'sh', '-c', beside, 'sh', cwd, ...argv], where: { cwd: '/', env } }
  const wrapped = wrapCommand === undefined ? { argv } : await wrapCommand(wish, argv, { cwd, writers })
  return { ...wrapped, where: { cwd, env } }
}

async function inBackground(wish: Wish, where: Where, context: ToolContext): Promise<ToolOutput> {
  const { command, timeout } = wish
  const { memory, store } = context
  const program = await fenced(wish, where, context)
  if ('trouble' in program) return complaint(program.trouble)
  const limited = timeout === undefined ? {} : { timeoutMs: timeout }
  const job = addJob(memory, {
    command,
    output: () => commandOutput(store),
    run: (signal, onOutput) => started(wish, program, { ...program.where, ...limited, signal, onOutput }),
  })
  // A command that never runs has ended all the same.
  if ('trouble' in job) return complaint([job.trouble, await program.behind?.()].join('\n').trimEnd())
  return answer(`Started in the background as ${job.id}. Look at it with BashOutput, stop it with KillBash.`)
}

/** Bash reads the file that BASH_ENV names even for a single command; git that only reads writes no index anew, and runs no hook for it. */
function steadyEnv(env: Readonly<Record<string, string>>, reads: boolean): Readonly<Record<string, string>> {
  const kept = Object.fromEntries(Object.entries(env).filter(([name]) => name !== 'BASH_ENV'))
  if (!reads) return kept
  // Git counts the settings that its environment holds from zero.
  const count = Number(kept['GIT_CONFIG_COUNT'] ?? 0)
  return {
    ...kept,
    GIT_OPTIONAL_LOCKS: '0',
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: 'diff.autoRefreshIndex',
    [`GIT_CONFIG_VALUE_${count}`]: 'false',
  }
}

/**
 * Whether a command line does nothing but read: every command in it belongs to the read-only set and nothing is
 * redirected. What cannot be understood is not read-only.
 *
 * @example isReadOnlyLine('git log --oneline | head -5') // true
 */
function isReadOnlyLine(line: string): boolean {
  const { commands, unparsable } = bashCommands(line)
  return unparsable === undefined && commands.every(reads)
}

function reads(command: BashCommand): boolean {
  return command.redirects.length === 0 && isReadOnlyCommand({ ...command, words: runningWords(command.words) })
}

/** A read-only line that does not move the shell either: such lines may run side by side. */
function staysAside(line: string): boolean {
  return isReadOnlyLine(line) && bashCommands(line).commands.every(({ words }) => words[0]?.value !== 'cd')
}
