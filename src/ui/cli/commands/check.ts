import { command, examples, type Context } from '../host/command.ts'

/** `troupe check <team...>` */
export function checkCommand({ host, finish }: Context) {
  return command('check', 'Report every mistake of a team file with its place.')
    .argument('<team...>', 'team files, or names')
    .option('--model <provider/model>', 'check as if every member used this model')
    .option('--json', 'print one JSON document {ok, diagnostics}')
    .addHelpText('after', examples('troupe check teams/*.yaml', 'troupe check review --json'))
    .action(async (teams, options) => {
      const { check } = await import('../acts/check.ts')
      finish(await check(teams, options, host))
    })
}
