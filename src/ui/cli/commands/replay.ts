import { InvalidArgumentError, Option } from '@commander-js/extra-typings'
import { asJson, command, examples, otlpHelp, runHelp, searchedDirectory, type Context } from '../host/command.ts'

/** `troupe replay [run]` */
export function replayCommand({ host, finish }: Context) {
  return command('replay', 'Run the machines of a run again from its journals, at no cost, and compare every fact.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option(
      '--until <moment>',
      'stop after an entry, e.g. lead-17, or at a time: 90s from the start, 2026-11-27T14:05:00Z',
    )
    .option('--speed <n>', 'print the run as it happened, so many times faster', times)
    .addOption(
      new Option('--attach', 'play it on the screen of attach instead, where nothing can be sent').conflicts([
        'json',
        'transitions',
      ]),
    )
    .addOption(
      new Option('--dashboard', 'play it on the page of the dashboard instead').conflicts([
        'json',
        'transitions',
        'attach',
      ]),
    )
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
        'troupe replay review --attach --speed 20 --until 10m',
        'troupe replay review --dashboard --speed 20',
      ),
    )
    .action((run, options) =>
      finish(import('../acts/reports/replay.ts').then(({ replay }) => replay(run, options, host))),
    )
}

function times(value: string): number {
  const speed = Number(value)
  if (Number.isFinite(speed) && speed > 0) return speed
  throw new InvalidArgumentError('Give a number above 0: 1 is as it happened, 20 is twenty times faster.')
}

/** `troupe diff <a> <b>` */
export function diffCommand({ host, finish }: Context) {
  return command('diff', 'Compare two runs, task by task: path, tools, answer and cost, and the files that they left.')
    .argument('<a>', `${runHelp}: the one that was before`)
    .argument('<b>', 'the other one')
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe diff review-01J8Q review-01J9A', 'troupe diff review-01J8Q review --json'))
    .action((...[a, b, options]) =>
      finish(import('../acts/reports/diff.ts').then(({ diff }) => diff({ a, b }, options, host))),
    )
}

/** `troupe trace [run]` */
export function traceCommand({ host, finish }: Context) {
  return command('trace', 'Export the OpenTelemetry trace of a run from its journals, also long after the run.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .addOption(new Option('--otlp <url>', otlpHelp).conflicts(['jsonl', 'console']))
    .addOption(new Option('--jsonl <file>', 'write it there, as OTLP in lines of JSON').conflicts('console'))
    .option('--console', 'print it as a tree')
    .option('--content', 'with prompts, answers, arguments, results and mail, which are left out otherwise')
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', '\nThe same run gives the same spans with the same ids each time.')
    .addHelpText('after', examples('troupe trace --console', 'troupe trace review --otlp http://localhost:4318'))
    .action((run, options) =>
      finish(import('../acts/reports/trace.ts').then(({ traceRun }) => traceRun(run, options, host))),
    )
}

/** `troupe report [run]` */
export function reportCommand({ host, finish }: Context) {
  return command('report', 'Make one HTML file of a run, to read without a server, or a comment for a pull request.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option('--out <file>', 'write it there')
    .option('--markdown', 'make Markdown for a comment instead')
    .option('--json', 'print what the report shows as one JSON document; with --out {run, file, bytes}')
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      '\nThe page holds no script and asks for nothing. It shows what members read: look before you publish it.',
    )
    .addHelpText('after', examples('troupe report --out run.html', 'troupe report review --markdown > comment.md'))
    .action((run, options) =>
      finish(import('../acts/reports/report.ts').then(({ reportRun }) => reportRun(run, options, host))),
    )
}
