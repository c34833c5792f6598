import {
  asJson,
  attachHelp,
  command,
  examples,
  repeated,
  runHelp,
  searchedDirectory,
  type Context,
} from '../host/command.ts'

/** `troupe mail ls|show|owed|dead|requeue|purge` */
export function mailCommand(context: Context) {
  return command('mail', 'Look at the mail of a run, and deal with what could not be delivered.')
    .addCommand(list(context))
    .addCommand(show(context))
    .addCommand(owed(context))
    .addCommand(dead(context))
    .addCommand(requeue(context))
    .addCommand(purge(context))
}

function list({ host, finish }: Context) {
  return common(command('ls', 'List mail that nobody has read yet.'))
    .argument('[member]', 'whose mail, as name or name@team; everybody when left out')
    .option('-a, --all', 'list mail that was read or given up, too')
    .addHelpText('after', examples('troupe mail ls', 'troupe mail ls historian@release-notes --all'))
    .action((member, options) =>
      finish(import('../acts/mail.ts').then(({ mailList }) => mailList(member, options, host))),
    )
}

function show({ host, finish }: Context) {
  return common(command('show', 'Print one mail whole.'))
    .argument('<id>', 'its id, the beginning of it, or its file name')
    .addHelpText('after', examples('troupe mail show 01JCZ8Q8YG'))
    .action((id, options) => finish(import('../acts/mail.ts').then(({ mailShow }) => mailShow(id, options, host))))
}

function owed({ host, finish }: Context) {
  return common(
    command('owed', 'List tasks and questions that wait for their answer: who owes whom what, for how long.'),
  )
    .argument('[member]', 'who owes, as name or name@team; everybody when left out')
    .addHelpText('after', examples('troupe mail owed', 'troupe mail owed historian@release-notes --json'))
    .action((member, options) =>
      finish(import('../acts/mail.ts').then(({ mailOwed }) => mailOwed(member, options, host))),
    )
}

function dead({ host, finish }: Context) {
  return common(command('dead', 'List mail that was given up, with the reason and the last attempt.'))
    .argument('[member]', 'whose mail, as name or name@team; everybody when left out')
    .addHelpText('after', examples('troupe mail dead', 'troupe mail dead lead@release-notes --json'))
    .action((member, options) =>
      finish(import('../acts/mail.ts').then(({ mailDead }) => mailDead(member, options, host))),
    )
}

function requeue({ host, finish }: Context) {
  return common(command('requeue', 'Put mail that was given up back into its box, to be judged again.'))
    .argument('[id]', 'its id, the beginning of it, or its file name')
    .option('-a, --all', 'all mail that was given up')
    .addHelpText('after', examples('troupe mail requeue 01JCZ8Q8YG', 'troupe mail requeue --all'))
    .action((id, options) =>
      finish(import('../acts/mail.ts').then(({ mailRequeue }) => mailRequeue(id, options, host))),
    )
}

function purge({ host, finish }: Context) {
  return common(command('purge', 'Delete mail that was given up.'))
    .argument('[id]', 'its id, the beginning of it, or its file name')
    .option('-a, --all', 'all mail that was given up')
    .addHelpText('after', examples('troupe mail purge 01JCZ8Q8YG', 'troupe mail purge --all'))
    .action((id, options) => finish(import('../acts/mail.ts').then(({ mailPurge }) => mailPurge(id, options, host))))
}

function common(base: ReturnType<typeof command>) {
  return base
    .option('--run <run>', `${runHelp}; the latest when left out`)
    .option(...asJson)
    .option(...searchedDirectory)
}

/** `troupe send <name@team> <text>` */
export function sendCommand({ host, finish }: Context) {
  return command('send', 'Send a message to a member of a run, as a person.')
    .argument('<to>', 'name@team, all@team, or a role of the team')
    .argument('<text>', 'the message; - reads it from stdin')
    .option('--key <key>', 'under one key a member gets one message, however often it is sent')
    .option('--attach <file>', attachHelp, repeated)
    .option('--interrupt', 'let it interrupt what the model is saying')
    .option('--run <run>', "a run's id or directory; the team's latest when left out")
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      examples(
        'troupe send lead@release-notes "Mind the breaking changes."',
        'troupe send lead@ci "Go on." --key build-4711',
        'git diff | troupe send lead@release-notes -',
      ),
    )
    .action((to, text, options) =>
      finish(import('../acts/mail.ts').then(({ send }) => send({ to, text }, options, host))),
    )
}
