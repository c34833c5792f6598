import { asJson, command, examples, runHelp, type Context } from '../host/command.ts'

/** `troupe prompt <team> <member>` */
export function promptCommand({ host, finish }: Context) {
  return command(
    'prompt',
    "Show what a member's model reads before its task: each part with its size, and how long it is kept.",
  )
    .argument('[team]', 'a team file, or a name')
    .argument('[member]', 'a member of it (default: the coordinator)')
    .option('--full', 'print the texts, too')
    .option('--count', "have the server of the member's model count the tokens, where it does")
    .option('--diff <run...>', `compare the prompts that two runs began with; each ${runHelp}`)
    .option(...asJson)
    .option('--cwd <dir>', 'the directory where the team will work, or whose runs are searched')
    .addHelpText(
      'after',
      examples(
        'troupe prompt review',
        'troupe prompt review reader --full',
        'troupe prompt review reader --count',
        'troupe prompt --diff review-01J8 review-01J9',
      ),
    )
    .action((team, member, options) =>
      finish(import('../acts/prompt.ts').then(({ printPrompt }) => printPrompt({ team, member }, options, host))),
    )
}
