import { Command, InvalidArgumentError } from '@commander-js/extra-typings'
import type { ExitCode } from './exit-codes.ts'
import type { Host } from './host.ts'

/** What a declared command needs to act: the process, and a place for its exit code. */
export interface Context {
  readonly host: Host
  readonly finish: (code: ExitCode) => void
}

/** A command in its own right; what it prints and how it fails follows the program's rules. */
export function command(name: string, description: string): Command {
  return new Command(name).description(description)
}

/** Lines for the end of a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ ${line}`).join('\n')}`
}

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
