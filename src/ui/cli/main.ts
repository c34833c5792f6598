import { CommanderError } from 'commander'
import { diagnosticsText } from './text/diagnostics-text.ts'
import { exitCodes, type ExitCode } from './host/exit-codes.ts'
import { print, type Host } from './host/host.ts'
import { processHost } from './host/process-host.ts'
import { buildProgram } from './program.ts'
import { errorLine, exitCodeOfError, mistakesOf, UserError } from './host/user-error.ts'

/**
 * Runs one command line and returns its exit code; nothing is thrown.
 *
 * `await main(['check', 'teams/review.yaml'], host)` → 0
 */
export async function main(argv: readonly string[], host: Host): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done
  const finish = async (ended: Promise<ExitCode>): Promise<void> => {
    code = await ended
  }
  const program = buildProgram({ host, finish, main })
  try {
    const unknown = unknownTopic(argv, program)
    if (unknown) throw await unknownCommand(unknown.name, unknown.known)
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    // Commander has printed its own message by now, or no more than the usage.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done
      await print(host.stderr, await meantChoice(error.message))
      return exitCodes.usage
    }
    await report(error, host)
    return exitCodeOfError(error)
  }
}

interface Named {
  name(): string
  aliases(): readonly string[]
  readonly commands: readonly Named[]
}

/** The error of `help` for a word that is no command: commander would print all of the help. */
function unknownTopic(argv: readonly string[], program: Named) {
  let { commands } = program
  for (const [at, word] of argv.entries()) {
    if (commands.length === 0) return null
    if (word === 'help') {
      const name = argv[at + 1]
      const known = ['help', ...commands.flatMap((each) => [each.name(), ...each.aliases()])]
      return name === undefined || name.startsWith('-') || known.includes(name) ? null : { name, known }
    }
    commands = commands.find((each) => each.name() === word || each.aliases().includes(word))?.commands ?? []
  }
  return null
}

async function unknownCommand(name: string, known: readonly string[]): Promise<UserError> {
  const { meantText } = await import('./runs/run-choice.ts')
  return new UserError(`there is no command "${name}"${meantText(name, known)}`)
}

/** The choice that was likely meant, on a line of its own, where commander's message says which there are. */
async function meantChoice(message: string): Promise<string> {
  const [, given, choices] = / '([^']*)' is invalid.* Allowed choices are ([^.]*)\./.exec(message) ?? []
  if (given === undefined || choices === undefined) return ''
  const { guessName } = await import('../../runtime/runs/read-runs.ts')
  const guess = guessName(given, choices.split(', '))
  return guess === undefined ? '' : `did you mean "${guess}"?\n`
}

/** Runs a command line as this process, which ends when all output has left it. */
export async function runProcess(argv: readonly string[]): Promise<void> {
  const host = processHost()
  const code = await main(argv, host)
  await print(host.stdout, '')
  await print(host.stderr, '')
  host.exit(code)
}

async function report(error: unknown, host: Host): Promise<void> {
  // Width measuring is large, and help goes without it.
  const { plainText } = await import('../text/plain-text.ts')
  const debug = Boolean(host.env['TROUPE_DEBUG'])
  const mistakes = debug ? null : mistakesOf(error)
  const text = mistakes ? diagnosticsText(mistakes, host.cwd) : errorLine(error, debug)
  await print(host.stderr, `${plainText(text)}\n`)
}
