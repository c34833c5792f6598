import { command, examples, runHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe stop <run>` */
export function stopCommand({ host, finish }: Context) {
  return command('stop', 'Stop a run for good: its leader, its workers and what they started; nothing leads it on.')
    .argument('<run>', runHelp)
    .option('--reason <text>', 'why, for whoever asks later')
    .option('--json', 'print one JSON document {run, outcome}')
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe stop review', 'troupe stop review --reason "wrong branch"'))
    .action(async (run, options) => {
      const { stop } = await import('../acts/stop.ts')
      finish(await stop(run, options, host))
    })
}
