import { command, examples, type Context } from '../command.ts'

/** `troupe stop <run>` */
export function stopCommand({ host, finish }: Context) {
  return command('stop', 'Stop a run for good: its leader, its workers and what they started; nothing leads it on.')
    .argument('<run>', "a run's id or directory, or a team")
    .option('--reason <text>', 'why, for whoever asks later')
    .option('--json', 'print one JSON document {run, outcome}')
    .option('--cwd <dir>', 'the directory whose runs are searched')
    .addHelpText('after', examples('troupe stop review', 'troupe stop review --reason "wrong branch"'))
    .action(async (run, options) => {
      const { stop } = await import('../acts/stop.ts')
      finish(await stop(run, options, host))
    })
}
