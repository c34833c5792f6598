import { examples, leading, runHelp, type Context } from '../host/command.ts'

/** `troupe continue <run> <text>` */
export function continueCommand({ host, finish }: Context) {
  return leading('continue', 'Say something to the lead of a run that has ended, and let the team go on.')
    .argument('<run>', runHelp)
    .argument('<text>', 'what the lead is told')
    .option('--force', 'go on with a run that was stopped, too, and take processes elsewhere for dead')
    .addHelpText('after', examples('troupe continue review "Now the tests, please."'))
    .action(async (run, text, options) => {
      const { goOn } = await import('../acts/continue.ts')
      finish(await goOn({ run, text }, options, host))
    })
}
