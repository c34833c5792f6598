/** One option as a shell needs it: what can be typed for it, and whether a value follows. */
export interface CompletableOption {
  readonly names: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** One command of the program, by the words that lead to it. */
export interface CompletableCommand {
  readonly path: readonly string[]
  readonly description: string
  readonly options: readonly CompletableOption[]
  /** Values of the command's first argument: fixed words, a team, a run, or the proposals of the shell. */
  readonly words: readonly string[]
  readonly wantsTeam: boolean
  /** True when the command's first argument is a run of this directory, or a member of one. */
  readonly wantsRun: boolean
}

/** The part of commander's program that completion reads. */
export interface CompletableProgram {
  name(): string
  description(): string
  readonly commands: readonly CompletableProgram[]
  readonly options: readonly OptionLike[]
  readonly registeredArguments: readonly { name(): string; readonly argChoices?: readonly string[] | undefined }[]
}

interface OptionLike {
  readonly long?: string | undefined
  readonly short?: string | undefined
  readonly description: string
  readonly required: boolean
  readonly optional: boolean
  readonly argChoices?: readonly string[] | undefined
}

/**
 * Every command of a program with its options, the program itself first: what completion scripts and the manual
 * are written from.
 */
export function completable(program: CompletableProgram, path: readonly string[] = []): readonly CompletableCommand[] {
  const [argument] = program.registeredArguments
  const own: CompletableCommand = {
    path,
    description: program.description(),
    options: [...program.options.map(optionOf), help],
    words: argument?.argChoices ?? program.commands.map((child) => child.name()),
    wantsTeam: argument?.name() === 'team',
    wantsRun: argument?.name() === 'run' || argument?.name() === 'to',
  }
  return [own, ...program.commands.flatMap((child) => completable(child, [...path, child.name()]))]
}

const help: CompletableOption = { names: ['-h', '--help'], description: 'print help', takesValue: false, choices: [] }

function optionOf({ long, short, description, required, optional, argChoices }: OptionLike): CompletableOption {
  const names = [short, long].flatMap((name) => name ?? [])
  return { names, description, takesValue: required || optional, choices: argChoices ?? [] }
}
