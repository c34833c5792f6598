import { promptsOf } from '../../../../runtime/mcp/server-prompts.ts'
import { serversHere } from '../../../../runtime/mcp/servers-here.ts'
import { promptCommands, type PromptCommand } from '../../../../runtime/skills/list-commands.ts'
import { shownSkill } from '../../../../runtime/skills/list-skills.ts'
import { plainLine, plainText } from '../../../text/plain-text.ts'
import { builtinCommands, type BuiltinCommand } from '../../../tui/state/screen-commands.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { printEither, workingDirectory, type Flags, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { table } from '../../text/table.ts'

type CommandsOptions = Flags<'json'> & Values<'cwd'>

function placeOf({ cwd }: CommandsOptions, host: Host) {
  return { cwd: workingDirectory(cwd, host), home: host.home }
}

/** Lists what a person can call by a slash: what is built in, and the commands and skills of a place. */
export async function printCommands(options: CommandsOptions, host: Host): Promise<ExitCode> {
  const own = new Set(builtinCommands.map(({ name }) => name))
  const commands = [
    ...builtinCommands.map(builtin),
    ...promptCommands(placeOf(options, host)).map((prompt) => ({ ...listed(prompt), hidden: own.has(prompt.name) })),
    ...serverPrompts({ ...placeOf(options, host), policyRoot: host.policyRoot }),
  ]
  const rows = commands.map(({ name, hint, kind, source, path, description, hidden }) => [
    `/${name}${hint === null ? '' : ` ${plainLine(hint)}`}`,
    kind,
    hidden ? `${source}, hidden on the screen` : source,
    path ?? '',
    plainLine(description),
  ])
  const text = table(['COMMAND', 'KIND', 'SOURCE', 'PATH', 'WHAT'], rows, host.stdout.columns).trimEnd()
  await printEither({ document: { commands }, text: plainText(text) }, options, host)
  return exitCodes.done
}

interface ListedCommand {
  readonly name: string
  readonly kind: 'prompt' | 'local' | 'screen'
  readonly hint: string | null
  readonly description: string
  readonly source: 'built-in' | 'mcp' | PromptCommand['source']
  readonly path: string | null
  /** A built-in command of that name goes before it on the screen. */
  readonly hidden: boolean
}

function builtin({
  name,
  kind,
  hint = null,
  does,
}: Omit<BuiltinCommand, 'hint'> & { readonly hint?: string | null }): ListedCommand {
  return { name, kind, hint, description: does, source: 'built-in', path: null, hidden: false }
}

/** The prompts that the servers of this place offered when they were last connected. */
function serverPrompts(place: Parameters<typeof serversHere>[0]): readonly ListedCommand[] {
  const { servers } = serversHere(place)
  const prompts = promptsOf(Object.fromEntries(servers.map(({ name, spec }) => [name, spec])), place.home)
  return prompts.map(({ name, server, description, hint = null }): ListedCommand => {
    return { name, kind: 'prompt', hint, description, source: 'mcp', path: server, hidden: false }
  })
}

function listed({
  name,
  hint = null,
  description,
  source,
  path,
}: Omit<PromptCommand, 'hint'> & { readonly hint?: string | null | undefined }): ListedCommand {
  return { name, kind: 'prompt', hint, description, source, path, hidden: false }
}

/**
 * Shows the text of a command as a member reads it; what runs in it is shown, not run.
 * @throws UserError for a name that is no command, or a built-in one
 */
export async function showCommand(
  { name, args }: { readonly name: string; readonly args: readonly string[] },
  options: CommandsOptions,
  host: Host,
): Promise<ExitCode> {
  const called = name.replace(/^\//, '')
  const place = placeOf(options, host)
  const found = promptCommands(place).some((each) => each.name === called)
  const own = builtinCommands.find((each) => each.name === called)
  if (!found && own !== undefined) throw new UserError(`/${called} is built in and has no text: ${own.does}`)
  const shown = shownSkill(called, args, place)
  if ('trouble' in shown)
    throw new UserError(`${shown.trouble.replace('skill', 'command')}; troupe commands ls shows them all`)
  const { description, allow, deny, commands, model, text } = shown
  const about = [
    plainLine(description),
    ...(model === undefined ? [] : [`Answered by ${plainLine(model)}`]),
    ...(allow.length === 0 ? [] : [`While it is in use it allows: ${allow.join(', ')}`]),
    ...(deny.length === 0 ? [] : [`While it is in use it denies: ${deny.join(', ')}`]),
    ...(commands.length === 0 ? [] : [`It runs: ${commands.join('; ')}`]),
  ]
  await printEither({ document: shown, text: plainText(`${about.join('\n')}\n\n${text}`) }, options, host)
  return exitCodes.done
}
