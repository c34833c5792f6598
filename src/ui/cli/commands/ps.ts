import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe ps` */
export function psCommand({ host, finish }: Context) {
  return command('ps', 'List the runs of this directory and their members.')
    .option('-a, --all', 'list runs that have ended, too')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory whose runs are listed')
    .addHelpText('after', examples('troupe ps', 'troupe ps --all --json'))
    .action(async (options) => {
      const { ps } = await import('../acts/ps.ts')
      finish(await ps(options, host))
    })
}
