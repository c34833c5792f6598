import { command, examples, type Context } from '../host/command.ts'

/** `troupe schema` */
export function schemaCommand({ host, finish }: Context) {
  return command('schema', 'Print the JSON Schema of team files, for editors.')
    .addHelpText('after', examples('troupe schema > team.schema.json'))
    .action(async () => {
      const { schema } = await import('../acts/schema.ts')
      finish(await schema(host))
    })
}
