import type { Command } from '@commander-js/extra-typings'
import { buildProgram } from '../../src/ui/cli/program.ts'
import { fakeHost } from '../ui/cli/fake-host.ts'

/** The page docs/cli.md: the help of every command, as the program prints it. */
export function cliReference(): string {
  const program = buildProgram({ host: fakeHost(), finish: () => undefined })
  return `${['# The command line', intro, ...sectionsOf(program, [])].join('\n\n')}\n`
}

const intro =
  'Written from the program itself by `npm run docs`. Progress and messages go to stderr, answers to stdout. `--json` prints\none JSON document on stdout and nothing else. `NO_COLOR` is honoured; `TROUPE_DEBUG=1` adds stacks to errors.'

interface Documented {
  name(): string
  readonly commands: readonly Documented[]
}

function sectionsOf(command: Documented, path: readonly string[]): readonly string[] {
  const words = [...path, command.name()]
  const help = helpOf(command as Command)
  const heading = path.length === 0 ? '' : `${'#'.repeat(Math.min(4, path.length + 1))} ${words.join(' ')}\n\n`
  return [`${heading}\`\`\`text\n${help}\n\`\`\``, ...command.commands.flatMap((child) => sectionsOf(child, words))]
}

function helpOf(command: Command): string {
  let text = ''
  const write = (chunk: string): void => void (text += chunk)
  command.configureOutput({ writeOut: write, getOutHelpWidth: () => 100 }).outputHelp()
  return text.trimEnd()
}
