import { examples, leading, runHelp, type Context } from '../host/command.ts'

/** `troupe fork <run> --at <entry>` */
export function forkCommand({ host, finish }: Context) {
  return leading('fork', 'Start a new run that remembers another one up to an entry of its journals.')
    .argument('<run>', runHelp)
    .argument('[text]', 'what the lead is told at the fork')
    .requiredOption('--at <entry>', 'the last entry that both share, e.g. lead-17; troupe logs --json shows the ids')
    .addHelpText('after', examples('troupe fork review --at lead-17', 'troupe fork review "Be brief." --at lead-17'))
    .action(async (run, text, options) => {
      const { fork } = await import('../acts/fork.ts')
      finish(await fork({ run, text }, options, host))
    })
}
