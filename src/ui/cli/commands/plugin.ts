import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe plugin add|ls|remove|check` */
export function pluginCommand(context: Context) {
  return command('plugin', 'Add plugins: commands, agents, skills, hooks, MCP servers and teams of others.')
    .addCommand(addCommand(context))
    .addCommand(listCommand(context))
    .addCommand(removeCommand(context))
    .addCommand(checkCommand(context))
}

function addCommand({ host, finish }: Context) {
  return command(
    'add',
    'Copy a plugin, show what it would run, and ask whether it is trusted. Again: bring it up to date.',
  )
    .argument('<source>', 'a directory, owner/repo, or a git address; #REF behind it, NAME@ before a marketplace')
    .option('--trust', 'trust it as it is now, unasked')
    .option(...asJson)
    .addHelpText(
      'after',
      examples(
        'troupe plugin add ./fmt',
        'troupe plugin add acme/troupe-plugins#v2',
        'troupe plugin add commit-commands@anthropics/claude-code',
      ),
    )
    .action((source, options) =>
      finish(import('../acts/extensions/plugin.ts').then(({ addNewPlugin }) => addNewPlugin(source, options, host))),
    )
}

function listCommand({ host, finish }: Context) {
  return command('ls', 'List the plugins that were added, what they bring, and whether they are trusted.')
    .option(...asJson)
    .addHelpText('after', examples('troupe plugin ls'))
    .action((options) =>
      finish(import('../acts/extensions/plugin.ts').then(({ printPlugins }) => printPlugins(options, host))),
    )
}

function removeCommand({ host, finish }: Context) {
  return command('remove', 'Remove a plugin, its files and the trust in it.')
    .argument('<name>', 'its name')
    .option(...asJson)
    .addHelpText('after', examples('troupe plugin remove fmt'))
    .action((name, options) =>
      finish(
        import('../acts/extensions/plugin.ts').then(({ removeOldPlugin }) => removeOldPlugin(name, options, host)),
      ),
    )
}

function checkCommand({ host, finish }: Context) {
  return command('check', 'Check plugins: what they bring, what in them cannot be used, what means nothing here.')
    .argument('[plugin...]', 'names, or directories of plugins (default: all that were added)')
    .option(...asJson)
    .addHelpText('after', examples('troupe plugin check', 'troupe plugin check ./fmt'))
    .action((plugins, options) =>
      finish(import('../acts/extensions/plugin.ts').then(({ checkPlugins }) => checkPlugins(plugins, options, host))),
    )
}
