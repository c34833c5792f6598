import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import {
  attachCommand,
  compactCommand,
  costCommand,
  logsCommand,
  modeCommand,
  modelCommand,
  tasksCommand,
  undoCommand,
} from './commands/one-run.ts'
import { checkCommand, initCommand, schemaCommand, teamTestCommand } from './commands/team-files.ts'
import { completionCommand } from './commands/completion.ts'
import { continueCommand, resumeCommand, forkCommand } from './commands/resume.ts'
import { doctorCommand, modelsCommand, trustCommand } from './commands/setup.ts'
import { mailCommand, sendCommand } from './commands/mail.ts'
import { hooksCommand } from './commands/hooks.ts'
import { importCommand } from './commands/import.ts'
import { memoryCommand } from './commands/memory.ts'
import { permissionsCommand } from './commands/permissions.ts'
import { mcpCommand } from './commands/mcp.ts'
import { pluginCommand } from './commands/plugin.ts'
import { psCommand, restartCommand, runsCommand, stopCommand } from './commands/runs.ts'
import { runTeamCommand } from './commands/run.ts'
import { promptCommand } from './commands/prompt.ts'
import { dashboardCommand, serveCommand } from './commands/serve.ts'
import { diffCommand, replayCommand, reportCommand, traceCommand } from './commands/replay.ts'
import { slashCommandsCommand } from './commands/slash-commands.ts'
import { skillsCommand } from './commands/skills.ts'
import { toolsCommand } from './commands/tools.ts'
import { worktreesCommand } from './commands/worktrees.ts'
import { examples, type Context } from './host/command.ts'
import { isForPersons } from '../../protocol/permissions/persons-acts.ts'
import { plainText } from '../text/plain-text.ts'
import { forPersons } from '../../runtime/runs/for-persons.ts'

/** Every command, in the order of the help. A new one is a declaration and a line here. */
const commands = [
  runTeamCommand,
  initCommand,
  checkCommand,
  teamTestCommand,
  schemaCommand,
  resumeCommand,
  continueCommand,
  forkCommand,
  stopCommand,
  restartCommand,
  psCommand,
  runsCommand,
  worktreesCommand,
  attachCommand,
  logsCommand,
  replayCommand,
  diffCommand,
  reportCommand,
  traceCommand,
  sendCommand,
  compactCommand,
  modelCommand,
  modeCommand,
  undoCommand,
  mailCommand,
  permissionsCommand,
  tasksCommand,
  costCommand,
  trustCommand,
  hooksCommand,
  importCommand,
  promptCommand,
  slashCommandsCommand,
  skillsCommand,
  memoryCommand,
  toolsCommand,
  serveCommand,
  dashboardCommand,
  mcpCommand,
  pluginCommand,
  modelsCommand,
  doctorCommand,
  completionCommand,
]

/**
 * The whole command line, declared: names, options and help are here; what a command does is imported when it
 * runs, so that help and version start fast.
 *
 * @example await buildProgram(context).parseAsync(['check', 'review'], { from: 'user' })
 */
export function buildProgram(context: Context): Command {
  const program = new Command('troupe')
    .description('Runs teams of AI agents: a team is a YAML file.')
    .version(context.host.version, '-V, --version', 'print the version')
    .addHelpText('after', examples('troupe run teams/quickstart.yaml', 'troupe run review "Review the last commit."'))
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 the team failed, 2 usage or invalid file, 3 a permission stopped it,',
    )
    .addHelpText('after', '4 budget, 5 environment (no credential, server or model, old Node), 130 interrupted.')
  for (const declare of commands) program.addCommand(declare(context))
  for (const [each, path] of everyCommand(program, 'troupe')) obey(each, path, context)
  return program
}

/** A command and all below it, each with the words that call it. */
function everyCommand(each: CommandUnknownOpts, path: string): readonly (readonly [CommandUnknownOpts, string])[] {
  return [[each, path], ...each.commands.flatMap((child) => everyCommand(child, `${path} ${child.name()}`))]
}

/** Errors are thrown instead of ending the process, and printed as one line that says where the usage stands. */
function obey(each: CommandUnknownOpts, path: string, { host }: Context): void {
  each.exitOverride()
  if (isForPersons(path.replace('troupe ', ''))) each.hook('preAction', () => forPersons(path, host.env))
  each.helpOption('-h, --help', 'print help')
  if (each.commands.length > 0) each.helpCommand('help [command]', 'print the help of a command')
  each.configureOutput({
    writeOut: (text: string) => host.stdout.write(text),
    writeErr: (text: string) => host.stderr.write(text),
    outputError: (text: string, write: (line: string) => void) =>
      write(`${oneLine(text)}; ${path} --help shows the usage\n`),
    getOutHelpWidth: () => host.stdout.columns || 100,
    getErrHelpWidth: () => host.stderr.columns || 100,
    getOutHasColors: () => false,
    getErrHasColors: () => false,
  })
}

function oneLine(text: string): string {
  return plainText(text)
    .trim()
    .replace(/\s*\n\s*/g, ' ')
    .replace(/\.$/, '')
}
