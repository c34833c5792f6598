import { Command } from '@commander-js/extra-typings'
import { attachCommand } from './commands/attach.ts'
import { checkCommand } from './commands/check.ts'
import { completionCommand } from './commands/completion.ts'
import { continueCommand } from './commands/continue.ts'
import { costCommand } from './commands/cost.ts'
import { doctorCommand } from './commands/doctor.ts'
import { forkCommand } from './commands/fork.ts'
import { initCommand } from './commands/init.ts'
import { logsCommand } from './commands/logs.ts'
import { mailCommand } from './commands/mail.ts'
import { modelsCommand } from './commands/models.ts'
import { permissionsCommand } from './commands/permissions.ts'
import { psCommand } from './commands/ps.ts'
import { runCommand } from './commands/run.ts'
import { runsCommand } from './commands/runs.ts'
import { resumeCommand } from './commands/resume.ts'
import { stopCommand } from './commands/stop.ts'
import { schemaCommand } from './commands/schema.ts'
import { sendCommand } from './commands/send.ts'
import { tasksCommand } from './commands/tasks.ts'
import { toolsCommand } from './commands/tools.ts'
import { trustCommand } from './commands/trust.ts'
import { worktreesCommand } from './commands/worktrees.ts'
import { examples, type Context } from './command.ts'

/** Every command, in the order of the help. A new one is one file and one line here. */
const commands = [
  runCommand,
  initCommand,
  checkCommand,
  schemaCommand,
  resumeCommand,
  continueCommand,
  forkCommand,
  stopCommand,
  psCommand,
  runsCommand,
  worktreesCommand,
  attachCommand,
  logsCommand,
  sendCommand,
  mailCommand,
  permissionsCommand,
  tasksCommand,
  costCommand,
  trustCommand,
  toolsCommand,
  modelsCommand,
  doctorCommand,
  completionCommand,
] as const

/**
 * The whole command line, declared: names, options and help are here; what a command does is imported when it
 * runs, so that help and version start fast.
 */
export function buildProgram(context: Context): Command {
  const program = new Command('troupe')
    .description('Runs teams of AI agents: a team is a YAML file.')
    .version(context.host.version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', examples('troupe run teams/quickstart.yaml', 'troupe run review "Review the last commit."'))
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 the team failed, 2 usage or invalid file, 3 a permission stopped it,',
    )
    .addHelpText('after', '4 budget, 5 environment (missing credential, old Node), 130 interrupted.')
  for (const declare of commands) program.addCommand(declare(context))
  for (const each of [program, ...everyCommand(program)]) obey(each, context)
  return program
}

interface AnyCommand {
  readonly commands: readonly AnyCommand[]
  exitOverride(): unknown
  configureOutput(configuration: object): unknown
}

function everyCommand(parent: AnyCommand): readonly AnyCommand[] {
  return parent.commands.flatMap((child) => [child, ...everyCommand(child)])
}

/** Errors are thrown instead of ending the process, and printed as one line. */
function obey(each: AnyCommand, { host }: Context): void {
  each.exitOverride()
  each.configureOutput({
    writeOut: (text: string) => host.stdout.write(text),
    writeErr: (text: string) => host.stderr.write(text),
    outputError: (text: string, write: (line: string) => void) => write(oneLine(text)),
    getOutHelpWidth: () => host.stdout.columns || 100,
    getErrHelpWidth: () => host.stderr.columns || 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
}

function oneLine(text: string): string {
  return `${text.trim().replace(/\s*\n\s*/g, ' ')}\n`
}
