import { Option } from '@commander-js/extra-typings'
import { asJson, command, examples, repeated, type Context } from '../host/command.ts'
import { modes } from './run.ts'

const ofTeam = ['--team <team>', 'count the tools that this team brings along, too'] as const
const trusting = ['--trust', "load the team's own code although nobody trusted it yet"] as const

/** `troupe tools ls|describe|run` */
export function toolsCommand(context: Context) {
  return command('tools', 'Look at the tools that members can be given, and try them.')
    .addCommand(listCommand(context))
    .addCommand(describeCommand(context))
    .addCommand(callCommand(context))
}

function listCommand({ host, finish }: Context) {
  return command('ls', 'List the tools that a member can be given.')
    .option(...ofTeam)
    .option(...trusting)
    .option(...asJson)
    .addHelpText('after', examples('troupe tools ls', 'troupe tools ls --team teams/ship.yaml'))
    .action((options) => finish(import('../acts/tools.ts').then(({ printTools }) => printTools(options, host))))
}

function describeCommand({ host, finish }: Context) {
  return command('describe', 'Show what a model reads of a tool, with its arguments and limits.')
    .argument('<tool>', 'its name')
    .option(...ofTeam)
    .option(...trusting)
    .option(...asJson)
    .addHelpText('after', examples('troupe tools describe Grep'))
    .action((tool, options) => finish(import('../acts/tools.ts').then(({ showTool }) => showTool(tool, options, host))))
}

function callCommand({ host, finish }: Context) {
  return command('run', 'Call a tool as an agent would, with its permission, and print what a model would see.')
    .argument('<tool>', 'its name')
    .argument('[arguments]', 'its arguments as a JSON object', '{}')
    .option(...ofTeam)
    .option(...trusting)
    .addOption(new Option('--mode <mode>', 'what happens when no permission rule matches').choices(modes))
    .option('--allow <rule>', 'allow what matches, e.g. "Bash(npm test)" (repeatable)', repeated)
    .option('--deny <rule>', 'deny what matches (repeatable)', repeated)
    .option('--json', 'print the result as one JSON document')
    .addHelpText(
      'after',
      examples(`troupe tools run LS '{"path": "."}'`, `troupe tools run Bash '{"command": "git status"}'`),
    )
    .action((name, input, options) =>
      finish(import('../acts/tools.ts').then(({ callTool }) => callTool({ name, input }, options, host))),
    )
}
