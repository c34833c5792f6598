import { asJson, command, examples, type Context } from '../host/command.ts'

const inDirectory = ['--cwd <dir>', 'the directory where teams will work'] as const

/** `troupe commands ls|show` */
export function slashCommandsCommand({ host, finish }: Context) {
  return command('commands', 'Look at the commands that you can call by a slash: in attach, as a task, by mail.')
    .addCommand(
      command('ls', 'List the built-in commands, and the commands and skills of this project and your own.')
        .option(...asJson)
        .option(...inDirectory)
        .addHelpText('after', examples('troupe commands ls'))
        .action((options) =>
          finish(import('../acts/extensions/commands.ts').then(({ printCommands }) => printCommands(options, host))),
        ),
    )
    .addCommand(
      command('show', 'Show what a member reads when you call a command; what it runs is shown, not run.')
        .argument('<command>', 'its name, with or without the slash')
        .argument('[arguments...]', 'what stands for $ARGUMENTS in it')
        .option(...asJson)
        .option(...inDirectory)
        .addHelpText('after', examples('troupe commands show review HEAD~3'))
        .action((name, args, options) =>
          finish(
            import('../acts/extensions/commands.ts').then(({ showCommand }) =>
              showCommand({ name, args }, options, host),
            ),
          ),
        ),
    )
}
