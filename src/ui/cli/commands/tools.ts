import { command, examples, type Context } from '../command.ts'

/** `troupe tools ls` */
export function toolsCommand({ host, finish }: Context) {
  const list = command('ls', 'List the tools that a member can be given.')
    .option('--json', 'print one JSON document')
    .addHelpText('after', examples('troupe tools ls'))
    .action(async (options) => {
      const { listTools } = await import('../acts/tools.ts')
      finish(await listTools(options, host))
    })
  return command('tools', 'Look at the built-in tools.').addCommand(list)
}
