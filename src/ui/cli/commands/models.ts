import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe models [filter]` */
export function modelsCommand({ host, finish }: Context) {
  return command('models', 'List known models with window and prices, and the providers.')
    .argument('[filter]', 'words that the name must hold')
    .option(...asJson)
    .addHelpText(
      'after',
      '\nSizes are tokens, prices dollars per million tokens, "-" is what nobody said. ~/.troupe/models.json goes first.',
    )
    .addHelpText('after', examples('troupe models', 'troupe models opus', 'troupe models "openai gpt-5" --json'))
    .action(async (filter, options) => {
      const { models } = await import('../acts/models.ts')
      finish(await models(filter, options, host))
    })
}
