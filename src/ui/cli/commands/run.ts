import { Argument, Option } from '@commander-js/extra-typings'
import type { PermissionMode } from '../../../protocol/permissions/permission.ts'
import type { ExecutorKind } from '../../../protocol/team/team-card.ts'
import {
  attachHelp,
  command,
  dollars,
  duration,
  examples,
  fallbackHelp,
  notifyHelp,
  otlpHelp,
  plainly,
  repeated,
  type Context,
} from '../host/command.ts'

/** Spelled here too, so that help needs no schema; a test holds both lists together. */
export const modes = [
  'default',
  'acceptEdits',
  'plan',
  'bypassPermissions',
  'dontAsk',
] as const satisfies readonly PermissionMode[]
export const executorNames = [
  'in-process',
  'process',
  'tmux',
  'tmux-panes',
  'terminal',
  'auto',
] as const satisfies readonly ExecutorKind[]

const shown = examples(
  'troupe run teams/quickstart.yaml',
  'troupe run review "Review the last commit." --model anthropic/…',
  'git diff | troupe run review - --deny "Bash(git push:*)"',
  'troupe run review "Review the last commit." --detach --wait-permissions 8h',
  'troupe run solo --task-file task.md --json > result.json',
)

const waitHelp = 'let calls wait so long for approval, e.g. 8h, also without a terminal'

/** `troupe run <team> [task]` */
export function runTeamCommand({ host, finish }: Context) {
  return command('run', 'Run a team on a task; the answer goes to stdout, progress to stderr.')
    .argument('<team>', 'a team file, or a name found in ./teams or among the teams that ship')
    .addArgument(new Argument('[task]', 'what the team shall do; - reads it from stdin'))
    .option('--task-file <file>', 'read the task from a file')
    .option('--attach <file>', attachHelp, repeated)
    .option('--model <provider/model>', 'use this model for every member')
    .option('--fallback <provider/model>', fallbackHelp, repeated)
    .option('--append-system-prompt <text>', 'the last words of the system prompt of every member')
    .addOption(new Option('--mode <mode>', 'what happens when no permission rule matches').choices(modes))
    .option('--allow <rule>', 'allow what matches, e.g. "Bash(npm test)" (repeatable)', repeated)
    .option('--ask <rule>', 'ask before what matches (repeatable)', repeated)
    .option('--deny <rule>', 'deny what matches (repeatable)', repeated)
    .option('--cwd <dir>', 'work in this directory')
    .addOption(
      new Option('--executor <kind>', 'where workers run, instead of what the team file says').choices(executorNames),
    )
    .option('--budget <usd>', 'spend at most so many dollars', dollars)
    .option('--trust', "count what the team file and the workspace's settings allow, for this run")
    .option('--dangerously-skip-permissions', 'ask nothing: opens bypassPermissions mode, unless settings keep it shut')
    .option('--wait-permissions <duration>', waitHelp, duration)
    .option('--classifier <provider/model>', 'let this model judge calls that no rule decides, before anybody is asked')
    .addOption(new Option('--json', 'print the result as one JSON document').conflicts('streamJson'))
    .option('--stream-json', 'print every fact as one JSON line, the result last')
    .option('--partial', 'with --stream-json: text as it is written, too')
    .option('--otlp <url>', otlpHelp)
    .option('--notify', notifyHelp)
    .option(...plainly)
    .addOption(
      new Option('-d, --detach', 'leave the run to a process without a terminal and print its id').conflicts([
        'streamJson',
        'partial',
      ]),
    )
    .addHelpText('after', shown)
    .action((team, task, options) =>
      finish(import('../acts/run.ts').then(({ run }) => run({ team, task, options }, host))),
    )
}
