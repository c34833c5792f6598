import { InvalidArgumentError } from '@commander-js/extra-typings'
import { asJson, command, duration, examples, type Context } from '../host/command.ts'

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
    .action(async (options) => {
      const { runsLs } = await import('../acts/runs.ts')
      finish(await runsLs(options, host))
    })
}

function collect({ host, finish }: Context) {
  return command('gc', 'Remove runs that are too old, too many or too big, and their keys; never a running one.')
    .option('--older-than <time>', 'remove those that were started longer ago, e.g. 30d', duration)
    .option('--keep <n>', 'the newest n stay in any case', count)
    .option('--max-size <size>', 'remove the oldest until all together take up no more, e.g. 500M', size)
    .option('--dry-run', 'only say what would be removed')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory whose runs are removed')
    .addHelpText('after', examples('troupe runs gc --older-than 30d --keep 20 --dry-run', 'troupe runs gc --keep 20'))
    .action(async (options) => {
      const { runsGc } = await import('../acts/runs.ts')
      finish(await runsGc(options, host))
    })
}

function count(value: string): number {
  if (/^\d{1,6}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Give a number, e.g. 20.')
}

const units: Readonly<Record<string, number>> = { K: 1024, M: 1024 ** 2, G: 1024 ** 3 }

function size(value: string): number {
  const [, number = '', unit = ''] = /^(\d{1,6})([KMG])$/.exec(value) ?? []
  const bytes = Number(number) * (units[unit] ?? 0)
  if (bytes <= 0) throw new InvalidArgumentError('Give a number and a unit, e.g. 500M or 2G.')
  return bytes
}
