import { Argument, Option } from '@commander-js/extra-typings'
import { asJson, command, examples, type Context } from '../host/command.ts'
import { modes } from './run.ts'

/** `troupe permissions explain|list|add|test` */
export function ruleCommands(context: Context) {
  return [explain(context), list(context), add(context), test(context)]
}

function explain({ host, finish }: Context) {
  return inPlace(command('explain', 'Say how a tool call would be decided, and why: every rule of every source.'))
    .argument('<call>', 'a call in the spelling of rules: Tool(its main argument) or Tool({json})')
    .option(...asJson)
    .addHelpText(
      'after',
      examples(
        "troupe permissions explain 'Bash(git push origin main)'",
        "troupe permissions explain 'Read(~/.ssh/id_rsa)' --mode acceptEdits",
        `troupe permissions explain 'mcp__db__query({"table": "users"})' --json`,
      ),
    )
    .action(async (call, options) => {
      const { permissionsExplain } = await import('../acts/permissions/rules.ts')
      finish(await permissionsExplain(call, options, host))
    })
}

function list({ host, finish }: Context) {
  return inPlace(command('list', 'List the rules in force with the file and line where each stands.'))
    .option(...asJson)
    .addHelpText('after', examples('troupe permissions list', 'troupe permissions list --json'))
    .action(async (options) => {
      const { permissionsList } = await import('../acts/permissions/rules.ts')
      finish(await permissionsList(options, host))
    })
}

function add({ host, finish }: Context) {
  return command('add', 'Write a rule into a settings file; warns when another rule keeps it from ever deciding.')
    .addArgument(new Argument('<rule>', "such as 'Bash(npm run test:*)' or 'Read(./secrets/**)'"))
    .addOption(new Option('--ask', 'ask before such calls instead of allowing them').conflicts('deny'))
    .option('--deny', 'deny such calls instead of allowing them')
    .addOption(new Option('--local', 'your own file in this project (default)').conflicts(['user', 'project']))
    .addOption(new Option('--user', 'your own file for all projects').conflicts('project'))
    .option('--project', "the project's file, shared with everyone")
    .option('--cwd <dir>', 'the project is in this directory')
    .addHelpText(
      'after',
      examples("troupe permissions add 'Bash(npm run test:*)'", "troupe permissions add 'Read(.env)' --deny --project"),
    )
    .action(async (rule, options) => {
      const { permissionsAdd } = await import('../acts/permissions/rules.ts')
      finish(await permissionsAdd(rule, options, host))
    })
}

function test({ host, finish }: Context) {
  return inPlace(command('test', 'Judge calls that come as JSON lines on stdin, one answer a line. Runs nothing.'))
    .addHelpText(
      'after',
      [
        '\nA line is {tool, input, mode?, cwd?, home?, rules?: {<source>: {allow, ask, deny}}}. With rules of its own it is',
        'judged by those alone, else by the settings in force. The answer is {behavior, source, rule, reason, path}.',
        examples(`echo '{"tool":"Bash","input":{"command":"git push"}}' | troupe permissions test`),
      ].join('\n'),
    )
    .action(async (options) => {
      const { permissionsTest } = await import('../acts/permissions/test.ts')
      finish(await permissionsTest(options, host))
    })
}

function inPlace(base: ReturnType<typeof command>) {
  return base
    .addOption(new Option('--mode <mode>', 'judge in this permission mode').choices(modes))
    .option('--cwd <dir>', 'judge as if in this directory')
}
