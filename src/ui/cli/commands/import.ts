import { asJson, command, examples, type Context } from '../host/command.ts'

/** `troupe import --report [dir]` */
export function importCommand({ host, finish }: Context) {
  return command('import', 'Say what becomes of each key that Claude Code, opencode, Codex or Gemini CLI were told.')
    .argument('[dir]', 'the directory of the project')
    .option('--report', 'print the report; nothing is changed')
    .option(...asJson)
    .addHelpText('after', examples('troupe import --report', 'troupe import --report --json ../shop'))
    .action((dir, options) =>
      finish(
        import('../acts/extensions/import-report.ts').then(({ printImportReport }) =>
          printImportReport(dir, options, host),
        ),
      ),
    )
}
