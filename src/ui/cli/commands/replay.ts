import { InvalidArgumentError } from '@commander-js/extra-typings'
import { asJson, command, examples, runHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe replay [run]` */
export function replayCommand({ host, finish }: Context) {
  return command('replay', 'Run the machines of a run again from its journals, at no cost, and compare every fact.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option('--until <entry>', 'stop after this entry, e.g. lead-17; troupe logs --json shows the ids')
    .option('--speed <n>', 'print the run as it happened, so many times faster', times)
    .option('--transitions', 'list the steps of every machine')
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', '\nNo model is asked, no tool runs, nothing is written. Exit code 1: a fact differs.')
    .addHelpText(
      'after',
      examples(
        'troupe replay',
        'troupe replay review --until lead-17 --transitions',
        'troupe replay review --speed 20',
      ),
    )
    .action((run, options) => finish(import('../acts/replay.ts').then(({ replay }) => replay(run, options, host))))
}

function times(value: string): number {
  const speed = Number(value)
  if (Number.isFinite(speed) && speed > 0) return speed
  throw new InvalidArgumentError('Give a number above 0: 1 is as it happened, 20 is twenty times faster.')
}
