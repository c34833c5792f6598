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
    await program.parseAsync(argv, { from: 'user' })
    return code
  } catch (error) {
    // Commander has printed its own message by now, or no more than the usage.
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return exitCodes.done
      if (error.code === 'commander.help' && argv.includes('help'))
        await report(await unknownCommand(argv.at(-1) ?? '', program.commands), host)
      await print(host.stderr, await meantChoice(error.message))
      return exitCodes.usage
    }
    await report(error, host)
    return exitCodeOfError(error)
  }
}

async function unknownCommand(name: string, commands: readonly { name(): string }[]): Promise<UserError> {
  const { meantText } = await import('./runs/run-choice.ts')
  const known = commands.map((each) => each.name())
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
