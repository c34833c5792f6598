import { asJson, command, examples, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe send <name@team> <text>` */
export function sendCommand({ host, finish }: Context) {
  return command('send', 'Send a message to a member of a run, as a person.')
    .argument('<to>', 'name@team, all@team, or a role of the team')
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--key <key>', 'under one key a member gets one message, however often it is sent')
    .option('--interrupt', 'let it interrupt what the model is saying')
    .option('--run <run>', "a run's id or directory; the team's latest when left out")
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      examples(
        'troupe send lead@release-notes "Mind the breaking changes."',
        'troupe send lead@ci "Go on." --key build-4711',
        'git diff | troupe send lead@release-notes -',
      ),
    )
    .action(async (to, text, options) => {
      const { send } = await import('../acts/send.ts')
      finish(await send({ to, text }, options, host))
    })
}
