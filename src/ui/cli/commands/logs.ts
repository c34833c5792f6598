import { command, examples, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe logs [run|name@team]` */
export function logsCommand({ host, finish }: Context) {
  return command('logs', 'Print what happened in a run, folded from its journals.')
    .argument('[run]', "a run's id or directory, a team, or name@team; the latest run when left out")
    .option('-f, --follow', 'go on with what happens until the run ends')
    .option('--full', 'print tool results whole')
    .option('--json', 'print one journal entry per line')
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      examples('troupe logs', 'troupe logs historian@release-notes', 'troupe logs --json | jq .entry.type'),
    )
    .action(async (run, options) => {
      const { logs } = await import('../acts/logs.ts')
      finish(await logs(run, options, host))
    })
}
