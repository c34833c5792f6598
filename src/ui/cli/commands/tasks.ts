import { command, examples, type Context } from '../command.ts'

/** `troupe tasks [run]` */
export function tasksCommand({ host, finish }: Context) {
  return command('tasks', 'Show the task board of a run.')
    .argument('[run]', "a run's id or directory, or a team; the latest when left out")
    .option('--json', 'print one JSON document')
    .option('--cwd <dir>', 'the directory whose runs are searched')
    .addHelpText('after', examples('troupe tasks', 'troupe tasks release-notes --json'))
    .action(async (run, options) => {
      const { tasks } = await import('../acts/tasks.ts')
      finish(await tasks(run, options, host))
    })
}
