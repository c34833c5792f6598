import { Option, Argument } from '@commander-js/extra-typings'
import {
  asJson,
  command,
  duration,
  examples,
  repeated,
  runHelp,
  searchedDirectory,
  type Context,
} from '../host/command.ts'
import { modes } from './run.ts'

/** `troupe permissions pending|answer|explain|list|add|test|report|replay` */
export function permissionsCommand(context: Context) {
  const group = command(
    'permissions',
    'See what agents may do and why; see what waits for your approval, and answer it.',
  )
    .addCommand(pending(context))
    .addCommand(answer(context))
  for (const rules of ruleCommands(context)) group.addCommand(rules)
  return group
}

function pending({ host, finish }: Context) {
  return ofRun(command('pending', 'List tool calls that wait for somebody to allow or deny them, or show one whole.'))
    .argument('[id]', 'show this one: what is asked for, a plan or an edit as it would be made')
    .addHelpText('after', examples('troupe permissions pending', 'troupe permissions pending historian-17-1'))
    .action((id, options) =>
      finish(
        import('../acts/permissions/approvals.ts').then(({ permissionsPending }) =>
          permissionsPending(id, options, host),
        ),
      ),
    )
}

function answer({ host, finish }: Context) {
  return ofRun(
    command('answer', 'Allow or deny a tool call that waits, or answer a question. The first answer counts.'),
  )
    .argument('<id>', 'its id, as troupe permissions pending lists it')
    .argument('<answer>', 'allow or deny; to a question of AskUser your words, or the number of an option')
    .addOption(new Option('--session', 'allow it for the rest of the run').conflicts('save'))
    .option('--save', 'allow calls of its kind from now on: saves rules in .troupe/settings.local.json')
    .option(
      '--rule <rule>',
      'with --session or --save: grant this rule instead of the proposed ones (repeatable)',
      repeated,
    )
    .option('--advice <text>', 'with deny: tell the member why, or what to do instead')
    .option('--stop', 'with deny: also end what the member is doing')
    .addHelpText(
      'after',
      examples(
        'troupe permissions answer historian-17-1 allow',
        'troupe permissions answer historian-17-1 allow --save',
        'troupe permissions answer historian-17-1 deny --advice "Use the staging host."',
        'troupe permissions answer lead-4-1 "Only the public API."',
      ),
    )
    .action((id, decision, options) =>
      finish(
        import('../acts/permissions/approvals.ts').then(({ permissionsAnswer }) =>
          permissionsAnswer({ id, decision }, options, host),
        ),
      ),
    )
}

function ofRun(base: ReturnType<typeof command>) {
  return base
    .option('--run <run>', `${runHelp}; all runs here when left out`)
    .option(...asJson)
    .option('--cwd <dir>', 'look for runs in this directory')
}

/** `troupe permissions explain|list|add|test|report|replay` */
function ruleCommands(context: Context) {
  return [explain(context), list(context), add(context), test(context), report(context), replay(context)]
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
        "troupe permissions explain 'Bash(npm test)' --team review --member reader",
        `troupe permissions explain 'mcp__db__query({"table": "users"})' --json`,
      ),
    )
    .action((call, options) =>
      finish(
        import('../acts/permissions/rules.ts').then(({ permissionsExplain }) =>
          permissionsExplain(call, options, host),
        ),
      ),
    )
}

function list({ host, finish }: Context) {
  return inPlace(command('list', 'List the rules in force with the file and line where each stands.'))
    .option(...asJson)
    .addHelpText('after', examples('troupe permissions list', 'troupe permissions list --json'))
    .action((options) =>
      finish(import('../acts/permissions/rules.ts').then(({ permissionsList }) => permissionsList(options, host))),
    )
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
    .action((rule, options) =>
      finish(import('../acts/permissions/rules.ts').then(({ permissionsAdd }) => permissionsAdd(rule, options, host))),
    )
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
    .action((options) =>
      finish(import('../acts/permissions/rules.ts').then(({ permissionsTest }) => permissionsTest(options, host))),
    )
}

function report({ host, finish }: Context) {
  return ofPast(
    command(
      'report',
      'Say what was asked in past runs and by which rule, which rules never matched, and what to allow.',
    ),
  )
    .argument('[run]', `${runHelp}; the latest run when left out`)
    .addOption(new Option('--since <time>', 'calls of all runs here that are no older, e.g. 7d').argParser(duration))
    .addHelpText(
      'after',
      examples(
        'troupe permissions report',
        'troupe permissions report --since 7d',
        'troupe permissions report review --json | jq -r .diff | git apply',
      ),
    )
    .action((run, options) =>
      finish(
        import('../acts/permissions/past.ts').then(({ permissionsReport }) => permissionsReport(run, options, host)),
      ),
    )
}

function replay({ host, finish }: Context) {
  return ofPast(
    command('replay', 'Judge every past call of a run under other rules, and say which would change. Runs nothing.'),
  )
    .argument('<run>', runHelp)
    .requiredOption('--settings <file>', 'a settings file in the place of those of project and person')
    .addHelpText('after', examples('troupe permissions replay review --settings stricter.json'))
    .action((run, options) =>
      finish(
        import('../acts/permissions/past.ts').then(({ permissionsReplay }) => permissionsReplay(run, options, host)),
      ),
    )
}

function ofPast(base: ReturnType<typeof command>) {
  return base.option(...asJson).option(...searchedDirectory)
}

function inPlace(base: ReturnType<typeof command>) {
  return base
    .addOption(new Option('--mode <mode>', 'judge in this permission mode').choices(modes))
    .option('--team <team>', 'a team file, or a name: judge as one of its members')
    .option('--member <name>', 'with --team: as this member (default: the coordinator)')
    .option('--cwd <dir>', 'judge as if in this directory')
}
