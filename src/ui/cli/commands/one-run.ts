import {
  command,
  duration,
  examples,
  searchedDirectory,
  type Context,
  asJson,
  runHelp,
  notifyHelp,
} from '../host/command.ts'
import { Option } from '@commander-js/extra-typings'
import { themes } from '../../text/theme.ts'

const themeHelp =
  'colours for a background that is dark, or light, or none (default: TROUPE_THEME, else what the terminal says)'

/** `troupe logs [run|name@team]` */
export function logsCommand({ host, finish }: Context) {
  return command('logs', 'Print what happened in a run, folded from its journals.')
    .argument('[run]', "a run's id or directory, a team, or name@team; the latest run when left out")
    .option('-f, --follow', 'go on with what happens until the run ends')
    .option('--full', 'print tool results whole')
    .option('--json', 'print one journal entry per line')
    .option(...searchedDirectory)
    .addHelpText(
      'after',
      examples('troupe logs', 'troupe logs historian@release-notes', 'troupe logs --json | jq .entry.type'),
    )
    .action((run, options) => finish(import('../acts/logs.ts').then(({ logs }) => logs(run, options, host))))
}

/** `troupe cost [run]` */
export function costCommand({ host, finish }: Context) {
  return command('cost', 'Show what a run has used, by member, by model and by kind of token.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option(...asJson)
    .option(...searchedDirectory)
    .option('--since <duration>', 'what all runs here have used in so much time, e.g. 30d', duration)
    .addHelpText('after', examples('troupe cost', 'troupe cost review --json', 'troupe cost --since 30d'))
    .action((run, options) => finish(import('../acts/cost.ts').then(({ cost }) => cost(run, options, host))))
}

/** `troupe compact <run> <member> [focus]` */
export function compactCommand({ host, finish }: Context) {
  return command('compact', 'Make the conversation of a member shorter: a summary takes the place of what is old.')
    .argument('<run>', runHelp)
    .argument('<member>', 'whose conversation')
    .argument('[focus]', 'what the summary shall dwell on')
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe compact review lead', 'troupe compact review lead "the open questions"'))
    .action((...[run, member, focus, options]) =>
      finish(import('../acts/compact.ts').then(({ compact }) => compact({ run, member }, { ...options, focus }, host))),
    )
}

const choosing = {
  model: {
    does: 'Show the models of the members of a run, or choose another one for a member, while it runs or for later.',
    value: 'provider/model; it answers from the next question on',
    example: 'troupe model review lead anthropic/claude-opus-5',
  },
  mode: {
    does: 'Show the permission modes of the members of a run, or choose another one for a member, while it runs or for later.',
    value:
      'default, acceptEdits, plan, dontAsk, next for the one after the present one, or bypassPermissions where the run was started with its flag',
    example: 'troupe mode review lead plan',
  },
} as const

/** `troupe model [run] [member] [model]`, `troupe mode [run] [member] [mode]` */
function choiceCommand(what: keyof typeof choosing, { host, finish }: Context) {
  const { does, value: help, example } = choosing[what]
  return command(what, does)
    .argument('[run]', `${runHelp}; the latest when left out`)
    .argument('[member]', 'of whom; all when left out')
    .argument(`[${what}]`, help)
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples(`troupe ${what}`, example))
    .action((...[run, member, value, options]) =>
      finish(
        import('../acts/choose.ts').then(({ choose }) => choose(what, { run, member, value }, { ...options, host })),
      ),
    )
}

export function modelCommand(context: Context) {
  return choiceCommand('model', context)
}

export function modeCommand(context: Context) {
  return choiceCommand('mode', context)
}

/** `troupe undo <run> <member>` */
export function undoCommand({ host, finish }: Context) {
  return command('undo', 'Take back turns of a member that changed files: the files and what it remembers, together.')
    .argument('<run>', runHelp)
    .argument('<member>', 'whose turns')
    .option('--to <checkpoint>', 'go back to the state before this turn: its number or name; the latest when left out')
    .option('--list', 'show the turns that changed files')
    .option('--name <name>', 'take nothing back, but name the turn')
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe undo review lead --list', 'troupe undo review lead --to 3'))
    .action((...[run, member, options]) =>
      finish(import('../acts/undo.ts').then(({ undo }) => undo({ run, member }, options, host))),
    )
}

/** `troupe tasks [run]` */
export function tasksCommand({ host, finish }: Context) {
  return command('tasks', 'Show the task board of a run, and the todo lists of its members.')
    .argument('[run]', `${runHelp}; the latest when left out`)
    .option(...asJson)
    .option(...searchedDirectory)
    .addHelpText('after', examples('troupe tasks', 'troupe tasks release-notes --json'))
    .action((run, options) => finish(import('../acts/tasks.ts').then(({ tasks }) => tasks(run, options, host))))
}

/** `troupe attach [run|name@team]` */
export function attachCommand({ host, finish, main }: Context) {
  return command('attach', 'Watch a run live: the whole team, or one member; write to them, answer their questions.')
    .argument('[run]', "a run's id or directory, a team, or name@team; the latest run when left out")
    .option(
      '--plain',
      'print lines instead of a screen, e.g. for a screen reader; typed lines answer and write (? says how)',
    )
    .option('--panes', 'show each member in a pane of your own tmux, those that have none yet')
    .option('--notify', notifyHelp)
    .option('--no-mouse', 'leave the mouse to the terminal, which selects text with it; Ctrl+T changes that')
    .addOption(new Option('--theme <theme>', themeHelp).choices(themes))
    .option(...searchedDirectory)
    .addHelpText('after', '\nLeaving stops nothing. The screen shows its keys with ?')
    .addHelpText('after', examples('troupe attach', 'troupe attach historian@release-notes', 'troupe attach --panes'))
    .action((run, options) =>
      finish(import('../acts/attach.ts').then(({ attachTo }) => attachTo(run, { ...options, main }, host))),
    )
}
