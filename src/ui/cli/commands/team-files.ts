import { command, examples, type Context } from '../host/command.ts'

/** `troupe init [dir]` */
export function initCommand({ host, finish }: Context) {
  return command('init', 'Write a first team file into a project; nothing is ever overwritten.')
    .argument('[dir]', 'the project', '.')
    .option('--name <name>', "the team's name", 'my-team')
    .addHelpText('after', examples('troupe init', 'troupe init ../shop --name shop-review'))
    .action((dir, options) => finish(import('../acts/team-files.ts').then(({ init }) => init(dir, options, host))))
}

/** `troupe schema` */
export function schemaCommand({ host, finish }: Context) {
  return command('schema', 'Print the JSON Schema of team files, for editors.')
    .addHelpText('after', examples('troupe schema > team.schema.json'))
    .action(() => finish(import('../acts/team-files.ts').then(({ schema }) => schema(host))))
}

/** `troupe check <team...>` */
export function checkCommand({ host, finish }: Context) {
  return command('check', 'Report every mistake of a team file with its place, and the rights of each member.')
    .argument('<team...>', 'team files, or names')
    .option('--model <provider/model>', 'check as if every member used this model')
    .option('--json', 'print one JSON document {ok, diagnostics}')
    .addHelpText('after', examples('troupe check teams/*.yaml', 'troupe check review --json'))
    .action((teams, options) =>
      finish(import('../acts/team-files.ts').then(({ check }) => check(teams, options, host))),
    )
}

/** `troupe test [test...]` */
export function teamTestCommand({ host, finish }: Context) {
  return command('test', 'Run tests of teams: a recorded run, and what has to be so at its end.')
    .argument(
      '[test...]',
      '*.test.yaml files, folders with some, or a team with some beside it; all here when left out',
    )
    .option('--trust', 'count what the team files allow, for these runs')
    .option(
      '--update',
      'record cassettes anew, and write exact values that do not hold as they are now; shown as a diff',
    )
    .option('--force', 'with --update: in CI, too')
    .option('--junit <file>', 'write a JUnit report there, too')
    .option('--schema', 'print the JSON Schema of test files, for editors')
    .option('--json', 'print one JSON document {ok, passed, failed, tests}')
    .option('--cwd <dir>', 'look for tests there')
    .addHelpText('after', '\nExit codes: 0 all hold, 1 an assertion does not, 2 a file has mistakes.')
    .addHelpText(
      'after',
      examples('troupe test', 'troupe test teams/review.test.yaml --junit report.xml', 'troupe test review --update'),
    )
    .action((tests, options) => finish(import('../acts/test.ts').then(({ test }) => test(tests, options, host))))
}
