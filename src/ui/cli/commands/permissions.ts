import { Option } from '@commander-js/extra-typings'
import { asJson, command, examples, repeated, runHelp, type Context } from '../host/command.ts'
import { ruleCommands } from './permission-rules.ts'

/** `troupe permissions pending|answer|explain|list|add|test` */
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
    .action(async (id, options) => {
      const { permissionsPending } = await import('../acts/permissions/approvals.ts')
      finish(await permissionsPending(id, options, host))
    })
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
    .action(async (id, decision, options) => {
      const { permissionsAnswer } = await import('../acts/permissions/approvals.ts')
      finish(await permissionsAnswer({ id, decision }, options, host))
    })
}

function ofRun(base: ReturnType<typeof command>) {
  return base
    .option('--run <run>', `${runHelp}; all runs here when left out`)
    .option(...asJson)
    .option('--cwd <dir>', 'look for runs in this directory')
}
