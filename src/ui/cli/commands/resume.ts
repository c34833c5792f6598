import { Option } from '@commander-js/extra-typings'
import { command, examples, notifyHelp, type Context } from '../command.ts'

/** `troupe resume [run]` */
export function resumeCommand({ host, finish }: Context) {
  return command('resume', 'Lead a run on whose process is gone; what was said and done is taken from its journals.')
    .argument('[run]', "a run's id or directory, or a team; the latest run when left out")
    .addOption(new Option('--json', 'print the result as one JSON document').conflicts('streamJson'))
    .option('--stream-json', 'print every fact as one JSON line, the result last')
    .option('--partial', 'with --stream-json: text as it is written, too')
    .option('--notify', notifyHelp)
    .option('--cwd <dir>', 'the directory whose runs are searched')
    .addHelpText('after', examples('troupe resume', 'troupe resume review'))
    .action(async (run, options) => {
      const { resume } = await import('../acts/resume.ts')
      finish(await resume(run, options, host))
    })
}
