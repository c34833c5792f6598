import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe worktrees ls|diff|merge|archive|rm` */
export function worktreesCommand(context: Context) {
  return command('worktrees', 'See the git worktrees that workers left, and take their work over or away.')
    .addCommand(list(context))
    .addCommand(compare(context))
    .addCommand(acting(context, 'merge', 'Merge the work of worktrees into the checked out branch, and remove them.'))
    .addCommand(acting(context, 'archive', 'Keep what worktrees hold under a ref and in a bundle file; they stay.'))
    .addCommand(acting(context, 'rm', 'Remove worktrees; what only they hold is archived first.'))
}

function list({ host, finish }: Context) {
  return common(command('ls', 'List the worktrees of all runs, and what each holds that nothing else has.'))
    .addHelpText('after', examples('troupe worktrees ls', 'troupe worktrees ls --json'))
    .action((options) => finish(import('../acts/worktrees.ts').then(({ worktreesLs }) => worktreesLs(options, host))))
}

function compare({ host, finish }: Context) {
  return common(command('diff', 'Show what worktrees changed since the commit they began from, committed or not.'))
    .argument('<trees...>', trees)
    .option('--stat', 'only the files and how many lines of each')
    .addHelpText('after', examples('troupe worktrees diff ana', 'troupe worktrees diff ana --stat'))
    .action((names, options) =>
      finish(import('../acts/worktrees-diff.ts').then(({ worktreesDiff }) => worktreesDiff(names, options, host))),
    )
}

const trees = 'members, as worktrees ls lists them: ana, or <run>/ana'

function acting({ host, finish }: Context, act: 'merge' | 'archive' | 'rm', description: string) {
  return common(command(act, description))
    .argument('<trees...>', trees)
    .addHelpText('after', examples(`troupe worktrees ${act} ana`))
    .action((names, options) =>
      finish(import('../acts/worktrees.ts').then(({ worktreesAct }) => worktreesAct({ act, names }, options, host))),
    )
}

function common(base: ReturnType<typeof command>) {
  return base.option(...asJson).option('--cwd <dir>', 'the directory whose runs left the worktrees')
}
