import { command, examples, type Context } from '../host/command.ts'

/** `troupe init [dir]` */
export function initCommand({ host, finish }: Context) {
  return command('init', 'Write a first team file into a project; nothing is ever overwritten.')
    .argument('[dir]', 'the project', '.')
    .option('--name <name>', "the team's name", 'my-team')
    .addHelpText('after', examples('troupe init', 'troupe init ../shop --name shop-review'))
    .action(async (dir, options) => {
      const { init } = await import('../acts/init.ts')
      finish(await init(dir, options, host))
    })
}
