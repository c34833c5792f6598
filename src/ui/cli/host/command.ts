import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings'
import type { ExitCode } from './exit-codes.ts'
import type { Host } from './host.ts'

/** The tools of a declared command: the process, and a place for the exit code of what it does. */
export interface Context {
  readonly host: Host
  readonly finish: (code: Promise<ExitCode>) => void | Promise<void>
  /** Runs another command line; absent where only help is wanted. */
  readonly main?: (argv: readonly string[], host: Host) => Promise<ExitCode>
}

/** A command in its own right; what it prints and how it fails follows the program's rules. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description)
}

/** The option of every command that prints a list or a document. */
export const asJson = ['--json', 'print one JSON document'] as const

/** The option of every command that is about a run. */
export const searchedDirectory = ['--cwd <dir>', 'the directory whose runs are searched'] as const

/** Of an argument or option that names a run. */
export const runHelp = "a run's id or directory, or a team"

/** Lines for the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

/** A command that leads a run on, with what those have in common: how it is shown, and where the run is looked for. */
export function leading(name: string, description: string) {
  return command(name, description)
    .addOption(new Option('--json', 'print the result as one JSON document').conflicts('streamJson'))
    .option('--stream-json', 'print every fact as one JSON line, the result last')
    .option('--partial', 'with --stream-json: text as it is written, too')
    .option('--notify', notifyHelp)
    .option(...plainly)
    .option('--model <provider/model>', 'use this model for every member from now on')
    .option('--fallback <provider/model>', fallbackHelp, repeated)
    .option('--otlp <url>', otlpHelp)
    .option('--reload', 'go on with the team file as it is now')
    .option('--wait-permissions <duration>', waitHelp, duration)
    .option(...searchedDirectory)
}

/** Of the option that lets questions wait where nobody sits. */
export const waitHelp = 'let questions wait so long for an answer from anywhere, e.g. 8h'

/** Of the option that names models to fall back to. */
export const attachHelp = 'show the model this image or PDF, too (repeatable)'

export const fallbackHelp = 'ask this model when the one of a member cannot answer (repeatable)'

/** The option of every command that stays with a run at a terminal. */
export const plainly = ['--no-tui', 'print plain lines instead of rows that are repainted'] as const

/** Of the option that every command has which stays with a run. */
export const notifyHelp =
  'ring, and show a note, when somebody waits for an answer or the run ends (always with TROUPE_NOTIFY=1)'

/** Of the option that names a collector. */
export const otlpHelp = 'send spans and metrics to this OpenTelemetry collector, e.g. http://localhost:4318'

/** Collects a repeatable option. */
export function repeated(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value]
}

/** Dollars as an option: a number above zero. */
export function dollars(value: string): number {
  const amount = Number(value)
  if (!Number.isFinite(amount) || amount <= 0)
    throw new InvalidArgumentError('Give dollars as a number above 0, e.g. 2.50.')
  return amount
}

const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A length of time as an option, in milliseconds: `duration('8h')` → 28800000. */
export function duration(value: string): number {
  const [, count = '', unit = ''] = /^(\d{1,6})(s|m|h|d)$/.exec(value) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  if (ms <= 0) throw new InvalidArgumentError('Give a number and a unit, e.g. 30s, 10m, 8h or 2d.')
  return ms
}
