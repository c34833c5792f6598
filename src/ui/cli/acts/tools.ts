import { describeTool, listTools as listed, type DescribedTool } from '../../../runtime/team-files/list-tools.ts'
import { loadTeam } from '../../../runtime/team-files/load-team.ts'
import { namedTool, toolsWithOwn } from '../../../runtime/run/run-tool.ts'
import { trustQuestion } from '../../../runtime/settings/workspace-trust.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { teamFileOf } from '../runs/find-team.ts'
import { print, printJson, type Host } from '../host/host.ts'
import { plainText } from '../../text/terminal-text.ts'
import { table } from '../text/table.ts'
import { UserError } from '../host/user-error.ts'

export interface ToolsOptions {
  readonly team?: string | undefined
  readonly trust?: true | undefined
  readonly json?: true | undefined
}

type Tools = Awaited<ReturnType<typeof toolsWithOwn>>

/** Lists the built-in tools and those that a team brings along, one line each. */
export async function printTools(options: ToolsOptions, host: Host): Promise<ExitCode> {
  const tools = listed(await toolsFor(options, host))
  if (options.json) {
    await printJson(host.stdout, tools)
    return exitCodes.done
  }
  const rows = tools.map(({ name, effect, description }) => [name, effect, plainText(firstSentence(description))])
  await print(host.stdout, table(['TOOL', 'EFFECT', 'WHAT'], rows))
  return exitCodes.done
}

/** Prints what a model reads of a tool, with its arguments and limits. */
export async function showTool(name: string, options: ToolsOptions, host: Host): Promise<ExitCode> {
  const tool = describeTool(pick(await toolsFor(options, host), name))
  if (options.json) await printJson(host.stdout, tool)
  else await print(host.stdout, described(tool))
  return exitCodes.done
}

/** The tools that a command is about; code that a team brings along is loaded only when it is trusted. */
export async function toolsFor({ team: wanted, trust }: ToolsOptions, host: Host): Promise<Tools> {
  if (wanted === undefined) return toolsWithOwn(null, { trusted: [], env: host.env })
  const { cwd, home, policyRoot, env } = host
  const model = env['TROUPE_MODEL'] ?? 'scripted/none'
  const team = await loadTeam(teamFileOf(wanted, cwd), { cwd, env, model })
  const { settings } = await trustQuestion({ cwd, home, policyRoot })
  return toolsWithOwn(team, { trusted: trust ? 'all' : settings.trusted, env })
}

/** @throws UserError for a name that is no tool */
export function pick(tools: Tools, name: string): Tools[number] {
  const found = namedTool(tools, name)
  if (!('meant' in found)) return found
  const hint = found.meant === undefined ? '; troupe tools ls shows them all' : `; did you mean ${found.meant}?`
  throw new UserError(`there is no tool "${name}"${hint}`)
}

function described(tool: DescribedTool): string {
  const facts = [
    ['effect', tool.effect],
    ['also called', tool.aliases.join(', ') || '-'],
    ['ends after', tool.timeout_ms === null ? 'no limit of its own' : `${tool.timeout_ms / 1_000} s`],
    ['longest result', tool.max_result_chars === null ? 'as the tool says' : `${tool.max_result_chars} characters`],
    ['on a new message', tool.interrupt === 'cancel' ? 'it is cancelled' : 'the message waits'],
  ]
  const parameters = JSON.stringify(tool.parameters, null, 2)
  return plainText(`${tool.name}\n\n${tool.description}\n\n${table(['', ''], facts).trim()}\n\n${parameters}\n`)
}

function firstSentence(text: string): string {
  return text.trim().split(/(?<=\.)\s|\n/)[0] ?? ''
}
