import { examples, leading, runHelp, type Context, attachHelp, repeated } from '../host/command.ts'

/** `troupe resume [run]` */
export function resumeCommand({ host, finish }: Context) {
  return leading('resume', 'Lead a run on whose process is gone; what was said and done is taken from its journals.')
    .argument('[run]', `${runHelp}; the latest run when left out`)
    .option('--force', 'take whoever leads it on another machine or in another container for dead, and do not wait')
    .addHelpText('after', examples('troupe resume', 'troupe resume review'))
    .action((run, options) => finish(import('../acts/resume.ts').then(({ resume }) => resume(run, options, host))))
}

/** `troupe continue <run> <text>` */
export function continueCommand({ host, finish }: Context) {
  return leading(
    'continue',
    'Say something to the lead of a run that has ended or was interrupted, and let the team go on.',
  )
    .argument('<run>', runHelp)
    .argument('<text>', 'what the lead is told')
    .option('--attach <file>', attachHelp, repeated)
    .option('--force', 'go on with a run that was stopped, too, and take processes elsewhere for dead')
    .addHelpText('after', examples('troupe continue review "Now the tests, please."'))
    .action((run, text, options) =>
      finish(import('../acts/resume.ts').then(({ goOn }) => goOn({ run, text }, options, host))),
    )
}

const withHelp =
  'what the new run has otherwise: the task, the model, or any key of the team file, as model=…, task=…, or ana.prompt=… for a member (repeatable)'

/** `troupe fork <run> --at <entry>` */
export function forkCommand({ host, finish }: Context) {
  return leading('fork', 'Start a new run that remembers another one up to an entry of its journals.')
    .argument('<run>', runHelp)
    .argument('[text]', 'what the lead is told at the fork')
    .option('--no-lead', 'only make the new run; troupe resume leads it on')
    .option('--worktree', 'work in a new git worktree beside the repository, with the files as they were at the entry')
    .option('--with <key=value>', withHelp, repeated)
    .requiredOption('--at <entry>', 'the last entry that both share, e.g. lead-17; troupe logs shows the ids')
    .addHelpText(
      'after',
      examples(
        'troupe fork review --at lead-17',
        'troupe fork review "Be brief." --at lead-17',
        'troupe fork review --at lead-17 --with model=anthropic/claude-opus-5',
        'troupe fork review --at lead-17 --with "reader.prompt=Be brief." --with "reader.tools=[Read, Grep]"',
        'troupe fork review --at lead-17 --worktree',
      ),
    )
    .action((run, text, options) =>
      finish(import('../acts/resume.ts').then(({ fork }) => fork({ run, text }, options, host))),
    )
}
