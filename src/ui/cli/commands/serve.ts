import { InvalidArgumentError } from '@commander-js/extra-typings'
import { command, duration, examples, repeated, runHelp, searchedDirectory, type Context } from '../host/command.ts'
import { countOption, sizeOption } from './runs.ts'
import { usualPort } from '../host/usual-port.ts'

/** `troupe serve` */
export function serveCommand({ host, finish }: Context) {
  return command(
    'serve',
    'Serve the runs of this directory over HTTP: look, start, steer, answer; until it is stopped.',
  )
    .option('--port <port>', 'the port, 0 for a free one', port, usualPort)
    .option('--host <address>', 'the address to listen at', '127.0.0.1')
    .option('--allow-host <name>', 'another name under which it is reached, e.g. of a proxy (repeatable)', repeated)
    .option(
      '--older-than <time>',
      'remove runs that were started longer ago, e.g. 30d, now and every ten minutes',
      duration,
    )
    .option('--keep <n>', 'the newest n stay in any case', countOption)
    .option('--max-size <size>', 'remove the oldest runs until all together take up no more, e.g. 500M', sizeOption)
    .option('--open', 'open the page in the browser')
    .option('--json', 'print one JSON document {url, page, tokens, pid} when it listens')
    .option('--cwd <dir>', 'the directory whose runs are served')
    .addHelpText(
      'after',
      '\nThe page counts once; programs send Authorization: Bearer with a token of the file that it names.',
    )
    .addHelpText('after', examples('troupe serve --open', 'troupe serve --port 0 --json', 'troupe serve --keep 50'))
    .action((options) =>
      finish(import('../acts/serve/serve-http.ts').then(({ serveHttp }) => serveHttp(options, host))),
    )
}

/** `troupe dashboard [run]` */
export function dashboardCommand({ host, finish }: Context) {
  return command('dashboard', 'Look at the runs of this directory in the browser: live, and at every moment since.')
    .argument('[run]', `${runHelp}; the list of all when left out`)
    .option('--port <port>', `the port, 0 for a free one (default: ${usualPort}, a free one where that is taken)`, port)
    .option('--no-open', 'print the address and open no browser')
    .option('--json', 'print one JSON document {url, page, run, pid} when it listens, and open no browser')
    .option(...searchedDirectory)
    .addHelpText('after', '\nThe address opens the page once, within ten minutes; the browser keeps its session.')
    .addHelpText(
      'after',
      '1 to 9 change the view, j and k the member, "," and "." step through time, ? shows all keys.',
    )
    .addHelpText('after', examples('troupe dashboard', 'troupe dashboard review --no-open'))
    .action((run, options) =>
      finish(import('../acts/serve/dashboard.ts').then(({ dashboard }) => dashboard(run, options, host))),
    )
}

function port(value: string): number {
  if (/^\d{1,5}$/.test(value) && Number(value) < 65_536) return Number(value)
  throw new InvalidArgumentError('Give a number from 0 to 65535.')
}
