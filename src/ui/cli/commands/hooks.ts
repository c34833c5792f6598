import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe hooks ls|test` */
export function hooksCommand({ host, finish }: Context) {
  return command('hooks', 'Look at the hooks of this workspace, and try them.')
    .addCommand(
      command('ls', 'List the hooks that run here, those that nobody trusts yet, and mistakes in them.')
        .option(...asJson)
        .option('--cwd <dir>', 'the directory where teams will work')
        .option('--team <team>', 'a team file, or a name: with the hooks of the team and its members')
        .addHelpText('after', examples('troupe hooks ls', 'troupe hooks ls --team news'))
        .action((options) => finish(import('../acts/hooks.ts').then(({ printHooks }) => printHooks(options, host)))),
    )
    .addCommand(
      command('test', 'Run the hooks of an event as a run would, and print what they answer. Nothing follows from it.')
        .argument('<event>', 'its name, as PreToolUse')
        .option('--input <file>', 'a JSON file with the fields of the event, as tool_name and tool_input')
        .option(...asJson)
        .option('--cwd <dir>', 'the directory where teams will work')
        .option('--team <team>', 'a team file, or a name: with the hooks of the team and its members')
        .addHelpText('after', examples('troupe hooks test Stop', 'troupe hooks test PreToolUse --input call.json'))
        .action((event, options) =>
          finish(import('../acts/hooks.ts').then(({ testHooks }) => testHooks(event, options, host))),
        ),
    )
}
