import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe doctor` */
export function doctorCommand({ host, finish }: Context) {
  return command('doctor', 'Say what is missing on this machine and how to get it.')
    .option(...asJson)
    .option('--cwd <dir>', 'the directory where teams will work')
    .addHelpText('after', examples('troupe doctor'))
    .action((options) => finish(import('../acts/doctor.ts').then(({ doctor }) => doctor(options, host))))
}

/** `troupe models [filter]` */
export function modelsCommand({ host, finish }: Context) {
  return command('models', 'List known models with window and prices, and the providers.')
    .argument('[filter]', 'words that the name must hold')
    .option('--check', 'ask each configured provider which models it has')
    .option('--cwd <dir>', 'the directory where teams will work')
    .option(...asJson)
    .addHelpText(
      'after',
      '\nSizes are tokens, prices dollars per million tokens, "-" is what nobody said. ~/.troupe/models.json goes first.',
    )
    .addHelpText(
      'after',
      examples('troupe models', 'troupe models opus', 'troupe models --check', 'troupe models "openai gpt-5" --json'),
    )
    .action((filter, options) =>
      finish(import('../acts/models.ts').then(({ models }) => models(filter, options, host))),
    )
}

/** `troupe trust [team]` */
export function trustCommand({ host, finish }: Context) {
  return command('trust', "Let what a workspace's own files allow count, from now on.")
    .argument('[team]', 'a team whose allow rules shall count here, too')
    .option('--list', 'list what is trusted, and where')
    .option('--revoke', 'forget what was trusted here')
    .option('--cwd <dir>', 'the directory where teams will work')
    .option(...asJson)
    .addHelpText('after', examples('troupe trust', 'troupe trust release-notes', 'troupe trust --list'))
    .action((team, options) => finish(import('../acts/trust.ts').then(({ trust }) => trust(team, options, host))))
}
