import { command, examples, notifyHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe attach [run|name@team]` */
export function attachCommand({ host, finish }: Context) {
  return command('attach', 'Watch a run live: all members side by side, or one; write to them, answer their questions.')
    .argument('[run]', "a run's id or directory, a team, or name@team; the latest run when left out")
    .option('--plain', 'print lines instead of a screen, as where there is no terminal')
    .option('--notify', notifyHelp)
    .option(...searchedDirectory)
    .addHelpText('after', '\nLeaving stops nothing. The screen shows its keys with ?')
    .addHelpText('after', examples('troupe attach', 'troupe attach historian@release-notes'))
    .action(async (run, options) => {
      const { attachTo } = await import('../acts/attach.ts')
      finish(await attachTo(run, options, host))
    })
}
