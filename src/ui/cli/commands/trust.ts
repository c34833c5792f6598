import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe trust [team]` */
export function trustCommand({ host, finish }: Context) {
  return command('trust', "Let what a workspace's own files allow count, from now on.")
    .argument('[team]', 'a team whose allow rules shall count here, too')
    .option('--list', 'list what is trusted, and where')
    .option('--revoke', 'forget what was trusted here')
    .option('--cwd <dir>', 'the directory where teams will work')
    .option(...asJson)
    .addHelpText('after', examples('troupe trust', 'troupe trust release-notes', 'troupe trust --list'))
    .action(async (team, options) => {
      const { trust } = await import('../acts/trust.ts')
      finish(await trust(team, options, host))
    })
}
