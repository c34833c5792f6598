import { Option } from '@commander-js/extra-typings'
import { memoryScopes } from '../../../protocol/memory/memory.ts'
import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe memory ls|show|edit|forget|import` */
export function memoryCommand(context: Context) {
  return command('memory', 'See, mend and take away what agents remember of you and of this project.')
    .addCommand(list(context))
    .addCommand(show(context))
    .addCommand(edit(context))
    .addCommand(forget(context))
    .addCommand(takeOver(context))
}

function list({ host, finish }: Context) {
  return placed(command('ls', 'List all memories, and files among them that are broken.'))
    .option(...asJson)
    .addHelpText('after', examples('troupe memory ls', 'troupe memory ls --scope user --json'))
    .action((options) => finish(import('../acts/memory.ts').then(({ memoryLs }) => memoryLs(options, host))))
}

function show({ host, finish }: Context) {
  return placed(command('show', 'Print a memory with its source.'))
    .argument('<memory>', 'its name, as memory ls lists it')
    .option(...asJson)
    .addHelpText('after', examples('troupe memory show use-tabs', 'troupe memory show use-tabs --json'))
    .action((name, options) =>
      finish(import('../acts/memory.ts').then(({ memoryShow }) => memoryShow(name, options, host))),
    )
}

function edit({ host, finish }: Context) {
  return placed(command('edit', 'Change a memory in your editor ($VISUAL, $EDITOR), or by a file.'))
    .argument('<memory>', 'its name, as memory ls lists it')
    .option('--file <file>', 'put the text of this file in its place; - reads stdin')
    .addHelpText('after', examples('troupe memory edit use-tabs', 'troupe memory edit use-tabs --file new.md'))
    .action((name, options) =>
      finish(import('../acts/memory.ts').then(({ memoryEdit }) => memoryEdit(name, options, host))),
    )
}

function forget({ host, finish }: Context) {
  return placed(command('forget', 'Take memories away.'))
    .argument('<memory...>', 'their names, as memory ls lists them')
    .addHelpText('after', examples('troupe memory forget use-tabs', 'troupe memory forget old-port --scope local'))
    .action((names, options) =>
      finish(import('../acts/memory.ts').then(({ memoryForget }) => memoryForget(names, options, host))),
    )
}

function takeOver({ host, finish }: Context) {
  return command('import', 'Take over memories that other programs wrote: Markdown files, with or without frontmatter.')
    .argument('[path]', 'a file or a folder (default: what Claude Code remembers of this project)')
    .addOption(new Option('--scope <scope>', 'for whom').choices(memoryScopes).default('local' as const))
    .option(...inDirectory)
    .option(...asJson)
    .addHelpText('after', examples('troupe memory import', 'troupe memory import notes/ --scope user'))
    .action((path, options) =>
      finish(import('../acts/memory.ts').then(({ memoryImport }) => memoryImport(path, options, host))),
    )
}

const inDirectory = ['--cwd <dir>', 'a directory of the project'] as const

function placed(base: ReturnType<typeof command>) {
  return base
    .addOption(
      new Option('--scope <scope>', 'only those of you, of you in this project, or of the project').choices(
        memoryScopes,
      ),
    )
    .option(...inDirectory)
}
