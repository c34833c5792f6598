import { asJson, command, examples, runHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe tasks [run]` */
export function tasksCommand({ host, finish }: Context) {
  return command('tasks', 'Show the task board of a run.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe tasks', 'troupe tasks release-notes --json'))
    .action(async (run, options) => {
      const { tasks } = await import('../acts/tasks.ts')
      finish(await tasks(run, options, host))
    })
}
