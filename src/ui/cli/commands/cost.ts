import { asJson, command, examples, runHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe cost [run]` */
export function costCommand({ host, finish }: Context) {
  return command('cost', 'Show what a run has used, by member, by model and by kind of token.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe cost', 'troupe cost review --json'))
    .action(async (run, options) => {
      const { cost } = await import('../acts/cost.ts')
      finish(await cost(run, options, host))
    })
}
