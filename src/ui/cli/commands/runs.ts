import { InvalidArgumentError } from '@commander-js/extra-typings'
import { asJson, command, duration, examples, type Context, runHelp, searchedDirectory } from '../host/command.ts'

/** `troupe runs ls|gc` */
export function runsCommand(context: Context) {
  return command('runs', 'See how much the runs of this directory take up, and remove old ones.')
    .addCommand(list(context))
    .addCommand(collect(context))
}

function list({ host, finish }: Context) {
  return command('ls', 'List all runs with state, age and size.')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory whose runs are listed')
    .addHelpText('after', examples('troupe runs ls'))
    .action((options) => finish(import('../acts/runs.ts').then(({ runsLs }) => runsLs(options, host))))
}

function collect({ host, finish }: Context) {
  return command('gc', 'Remove runs that are too old, too many or too big, and their keys; never a running one.')
    .option('--older-than <time>', 'remove those that were started longer ago, e.g. 30d', duration)
    .option('--keep <n>', 'the newest n stay in any case', countOption)
    .option('--max-size <size>', 'remove the oldest until all together take up no more, e.g. 500M', sizeOption)
    .option('--dry-run', 'only say what would be removed')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory whose runs are removed')
    .addHelpText('after', examples('troupe runs gc --older-than 30d --keep 20 --dry-run', 'troupe runs gc --keep 20'))
    .action((options) => finish(import('../acts/runs.ts').then(({ runsGc }) => runsGc(options, host))))
}

/** A number as an option. */
export function countOption(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Give a number, e.g. 20.')
}

const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

/** Bytes as an option: `500M`. */
export function sizeOption(value: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([KMG])$/.exec(value) ?? []
  const bytes = Number(number) * (units[unit] ?? 0)
  if (bytes <= 0) throw new InvalidArgumentError('Give a number and a unit, e.g. 500M or 2G.')
  return bytes
}

/** `troupe stop <run|name@team>` */
export function stopCommand({ host, finish }: Context) {
  return command(
    'stop',
    'Stop a run for good, its leader, its workers and what they started; or one worker of it, and leave the others alone.',
  )
    .argument('<run>', `${runHelp}, or name@team for one worker`)
    .option('--reason <text>', 'why: the worker and the coordinator read it, and whoever asks later')
    .option('--grace <time>', 'how long a worker may take to save, to finish, or to refuse (default: 10s)', duration)
    .option('--now', 'end the worker without asking it')
    .option('--json', 'print one JSON document {run, outcome}, of a worker with member and the reason of a refusal')
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      examples(
        'troupe stop review',
        'troupe stop review --reason "wrong branch"',
        'troupe stop historian@review --grace 1m',
        'troupe stop historian@review --now --reason "wrong way"',
      ),
    )
    .action((run, options) => finish(import('../acts/runs.ts').then(({ stop }) => stop(run, options, host))))
}

/** `troupe restart <name@team>` */
export function restartCommand({ host, finish }: Context) {
  return command(
    'restart',
    'Begin the life of a member anew: what it does is cut off, and it goes on with its conversation.',
  )
    .argument('<run>', `the member as name@run; its run is ${runHelp}`)
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      '\nOne that was stopped, has gone or was given up comes back, too. The others are not touched.',
    )
    .addHelpText('after', examples('troupe restart historian@review'))
    .action((run, options) => finish(import('../acts/runs.ts').then(({ restart }) => restart(run, options, host))))
}

/** `troupe ps` */
export function psCommand({ host, finish }: Context) {
  return command('ps', 'List the runs of this directory and their members.')
    .option('-a, --all', 'list runs that have ended, too')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory whose runs are listed')
    .addHelpText('after', examples('troupe ps', 'troupe ps --all --json'))
    .action((options) => finish(import('../acts/runs.ts').then(({ ps }) => ps(options, host))))
}
