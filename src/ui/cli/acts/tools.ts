import { describeTool, listTools as listed, type DescribedTool } from '../../../runtime/team-files/list-tools.ts'
import { namedTool, toolsWithOwn, runTool } from '../../../runtime/run/run-tool.ts'
import { trustQuestion } from '../../../runtime/settings/workspace-trust.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { loadNamedTeam } from '../runs/load-named-team.ts'
import { type Host, type Flags, type Values, printEither } from '../host/host.ts'
import { plainText } from '../../text/plain-text.ts'
import { printList, table } from '../text/table.ts'
import { UserError } from '../host/user-error.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { PermissionMode } from '../../../protocol/permissions/permission.ts'
import { openProgress } from '../progress/open-progress.ts'
import { personAt } from './run.ts'
import { refuseBrokenRules } from '../runs/refuse-broken-rules.ts'

export type ToolsOptions = Flags<'trust' | 'json'> & Values<'team'>

type Tools = Awaited<ReturnType<typeof toolsWithOwn>>

/** Lists the built-in tools and those that a team brings along, one line each. */
export async function printTools(options: ToolsOptions, host: Host): Promise<ExitCode> {
  const tools = listed(await toolsFor(options, host))
  const row = ({ name, effect, description }: DescribedTool) => [name, effect, plainText(firstSentence(description))]
  return printList(
    { items: tools, head: ['TOOL', 'EFFECT', 'WHAT'], row, none: 'No tools.', isCut: true },
    options,
    host,
  )
}

/** Prints what a model reads of a tool, with its arguments and limits. */
export async function showTool(name: string, options: ToolsOptions, host: Host): Promise<ExitCode> {
  const tool = describeTool(pick(await toolsFor(options, host), name))
  await printEither({ document: tool, text: described(tool) }, options, host)
  return exitCodes.done
}

/** The tools that a command is about; code that a team brings along is loaded only when it is trusted. */
export async function toolsFor({ team: wanted, trust }: ToolsOptions, host: Host): Promise<Tools> {
  if (wanted === undefined) return toolsWithOwn(null, { trusted: [], env: host.env })
  const { cwd, home, policyRoot, env } = host
  const team = await loadNamedTeam(wanted, host)
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
  return plainText(`${tool.name}\n\n${tool.description}\n\n${table(['', ''], facts).trim()}\n\n${parameters}`)
}

function firstSentence(text: string): string {
  return text.trim().split(/(?<=\.)\s|\n/)[0] ?? ''
}

type RunToolOptions = ToolsOptions & Values<'mode', PermissionMode> & Values<'allow' | 'deny', readonly string[]>

/** Calls one tool as an agent would, with its permission, and prints what a model would see. */
export async function callTool(
  { name, input }: { readonly name: string; readonly input: string },
  options: RunToolOptions,
  host: Host,
): Promise<ExitCode> {
  refuseBrokenRules(options)
  const tool = pick(await toolsFor(options, host), name)
  const { cwd, home, env } = host
  const { mode, allow = [], deny = [] } = options
  const stop = new AbortController()
  const unlisten = host.onSignal('SIGINT', () => stop.abort())
  const screen = openProgress([], {}, host)
  const person = personAt(host, cwd, screen)
  try {
    const result = await runTool({
      tool,
      input: argumentsOf(input),
      cwd,
      home,
      env,
      permissions: { allow: [...allow], deny: [...deny], ...(mode === undefined ? {} : { mode }) },
      ...(person === null ? {} : { approver: person }),
      // On one screen with the result it would be there twice.
      progress: (text) => void (host.stdout.isTTY !== true && host.stderr.isTTY && host.stderr.write(plainText(text))),
      signal: stop.signal,
    })
    const shown = result.content
      .map((block) => (block.type === 'text' ? block.text : `[${block.media_type}]`))
      .join('\n')
    await printEither({ document: result, text: plainText(shown) }, options, host)
    return result.is_error ? exitCodes.failed : exitCodes.done
  } finally {
    await person?.close()
    screen.close()
    unlisten()
  }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = errorText(error)
    throw new UserError(`the arguments are not valid JSON: ${why}; give an object such as '{"path": "."}'`)
  }
}
