import { Option } from '@commander-js/extra-typings'
import { command, examples, notifyHelp, type Context } from '../command.ts'

/** `troupe continue <run> <text>` */
export function continueCommand({ host, finish }: Context) {
  return command('continue', 'Say something to the lead of a run that has ended, and let the team go on.')
    .argument('<run>', "a run's id or directory, or a team")
    .argument('<text>', 'what the lead is told')
    .option('--force', 'go on with a run that was stopped, too')
    .addOption(new Option('--json', 'print the result as one JSON document').conflicts('streamJson'))
    .option('--stream-json', 'print every fact as one JSON line, the result last')
    .option('--partial', 'with --stream-json: text as it is written, too')
    .option('--notify', notifyHelp)
    .option('--cwd <dir>', 'the directory whose runs are searched')
    .addHelpText('after', examples('troupe continue review "Now the tests, please."'))
    .action(async (run, text, options) => {
      const { goOn } = await import('../acts/continue.ts')
      finish(await goOn({ run, text }, options, host))
    })
}
