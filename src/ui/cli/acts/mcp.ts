import { addServer, dropServer } from '../../../runtime/mcp/edit-servers.ts'
import {
  connectHere,
  lookAtServer,
  serversHere,
  type PersonsConnection,
  type ServerHere,
  type ServerLook,
} from '../../../runtime/mcp/servers-here.ts'
import { guessName } from '../../../runtime/runs/read-runs.ts'
import { askOf, serverResultText, toolRows } from '../../../runtime/mcp/shown-tools.ts'
import type { McpAnswer } from '../../../protocol/mcp/listing.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { noteTo, printEither, type Flags, type Host, type Values } from '../host/host.ts'
import { UserError } from '../host/user-error.ts'
import { openBrowser } from '../host/open-browser.ts'
import { loadNamedTeam } from '../runs/load-named-team.ts'
import { printList } from '../text/table.ts'

type Scope = 'local' | 'user' | 'project'
type ServerOptions = Flags<'trust' | 'json'> & Values<'team'>

/** Lists the servers that count, and says why others do not. */
export async function listServers(options: ServerOptions, host: Host): Promise<ExitCode> {
  const { servers, notes, problems } = await here(options, host)
  for (const { file, message } of problems) noteTo(host)(`warning: ${file}: ${message}`)
  for (const text of notes) noteTo(host)(text)
  const row = ({ name, scope, spec, trusted, file }: ServerHere): readonly string[] => [
    name,
    scope,
    stateOf(spec.disabled === true, trusted),
    plainLine(spec.url ?? [spec.command ?? '', ...(spec.args ?? [])].join(' ')),
    plainLine(file),
  ]
  const head = ['NAME', 'SCOPE', 'STATE', 'WHAT', 'FILE']
  return printList({ items: servers, head, row, none: 'No MCP servers.', isCut: true }, options, host)
}

function stateOf(disabled: boolean, trusted: boolean): string {
  if (disabled) return 'disabled'
  return trusted ? 'ready' : 'not trusted'
}

/** Writes an entry for a server. */
export async function addNewServer(
  name: string,
  options: { readonly words: readonly string[]; readonly scope: Scope } & Values<'transport'> &
    Values<'env' | 'header', readonly string[]>,
  host: Host,
): Promise<ExitCode> {
  const { words, scope, transport, env = [], header = [] } = options
  const [first = '', ...args] = words
  const isAddress = /^(https?|wss?):\/\//.test(first) || (transport !== undefined && transport !== 'stdio')
  const variables = Object.fromEntries(env.map((each) => pairOf(each, '=')))
  const headers = Object.fromEntries(header.map((each) => pairOf(each, ':')))
  const entry = {
    ...(transport === undefined ? {} : { type: transport }),
    ...(isAddress ? { url: first } : { command: first, ...(args.length > 0 ? { args } : {}) }),
    ...(env.length > 0 ? { env: variables } : {}),
    ...(header.length > 0 ? { headers } : {}),
  }
  const file = mending(() => addServer({ scope, cwd: host.cwd, home: host.home }, name, entry))
  noteTo(host)(`${name} is in ${file}; members use it with mcp__${name} among their tools`)
  return exitCodes.done
}

function pairOf(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark)
  if (at <= 0) throw new UserError(`"${text}" must be written NAME${mark}VALUE`)
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()]
}

/** Removes an entry. */
export async function removeOldServer(
  name: string,
  { scope }: { readonly scope: Scope },
  host: Host,
): Promise<ExitCode> {
  const file = mending(() => dropServer({ scope, cwd: host.cwd, home: host.home }, name))
  if (file === null) throw new UserError(`there is no server "${name}" of scope ${scope}; troupe mcp list shows all`)
  noteTo(host)(`${name} is no longer in ${file}`)
  return exitCodes.done
}

/** Connects to servers and tells what came of it. */
export async function testServers(name: string | undefined, options: ServerOptions, host: Host): Promise<ExitCode> {
  const { servers } = await here(options, host)
  const wanted = name === undefined ? servers : [pick(servers, name)]
  const looks = await Promise.all(wanted.map((server) => lookAtServer(trustedBy(server, options), placeOf(host))))
  const text = looks.map(lookText).join('\n') || 'No MCP servers.'
  await printEither({ document: { servers: looks }, text }, options, host)
  return looks.every(({ state }) => state === 'connected' || state === 'disabled')
    ? exitCodes.done
    : exitCodes.environment
}

function lookText({ name, state, tools, reason, warnings }: ServerLook): string {
  const line = `${name}: ${state}${reason === null ? `, ${tools} tools` : `: ${plainLine(reason)}`}`
  return [line, ...warnings.map((warning) => `  ${plainLine(warning)}`)].join('\n')
}

/** Logs in to a server, as far as it asks for that. */
export async function login(
  name: string,
  options: ServerOptions & { readonly browser?: boolean },
  host: Host,
): Promise<ExitCode> {
  const open = (url: URL): void => {
    noteTo(host)(`open this address to log in:\n${url.href}`)
    if (options.browser !== false) openBrowser(url, host.env)
  }
  return connected({ name, host, person: { open } }, options, async ({ listing }) => {
    noteTo(host)(`logged in to ${name}: ${listing.tools.length} tools`)
    return exitCodes.done
  })
}

/** Prints what a server offers, under the names that members and rules know. */
export async function listServerTools(name: string, options: ServerOptions, host: Host): Promise<ExitCode> {
  return connected({ name, host }, options, async ({ listing }) => {
    for (const warning of listing.warnings) noteTo(host)(`warning: ${warning}`)
    const items = toolRows(name, listing)
    const row = ({ name: tool, hint, description }: (typeof items)[number]) => [
      tool,
      hint,
      plainText(description.split('\n', 1)[0] ?? ''),
    ]
    return printList(
      { items, head: ['TOOL', 'SAYS OF ITSELF', 'WHAT'], row, none: 'No tools.', isCut: true },
      options,
      host,
    )
  })
}

/** Calls a tool for a person. */
export async function callServer(
  { name, tool, input }: Record<'name' | 'tool' | 'input', string>,
  options: ServerOptions,
  host: Host,
): Promise<ExitCode> {
  const given = argumentsOf(input)
  return connected({ name, host }, options, async ({ ask, listing }, signal) => {
    const rows = toolRows(name, listing)
    const found = rows.find((each) => each.name === tool || each.own === tool)
    if (!found) {
      const near = nearest(
        tool,
        rows.map(({ own }) => own),
      )
      throw new UserError(`${name} has no tool "${tool}"${near}; troupe mcp tools ${name} lists them`)
    }
    const answer: McpAnswer = await ask(askOf(found, given), {
      signal,
      progress: (text) => void (host.stderr.isTTY && host.stderr.write(plainText(`${text}\n`))),
    })
    if ('trouble' in answer)
      throw new UserError(`${name}: ${answer.trouble}`, signal.aborted ? exitCodes.interrupted : exitCodes.environment)
    await printEither({ document: answer, text: plainText(serverResultText(name, answer)) }, options, host)
    return answer.isError ? exitCodes.failed : exitCodes.done
  })
}

interface Connecting {
  readonly name: string
  readonly host: Host
  readonly person?: { open(url: URL): void }
}

async function connected(
  { name, host, person }: Connecting,
  options: ServerOptions,
  then: (connection: PersonsConnection, stopped: AbortSignal) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { servers } = await here(options, host)
  const server = trustedBy(pick(servers, name), options)
  if (!server.trusted)
    throw new UserError(`nobody trusted ${name} of ${server.file} yet; look at it, then give --trust`)
  const stop = new AbortController()
  const interrupt = (): void => stop.abort(new Error('it was interrupted'))
  const unlisten = (['SIGINT', 'SIGTERM'] as const).map((each) => host.onSignal(each, interrupt))
  try {
    const connection = await connectHere(server, placeOf(host), {
      signal: stop.signal,
      ...(person ? { person } : {}),
    }).catch((error: unknown) => {
      throw new UserError(`${name}: ${errorText(error)}`, exitCodes.environment)
    })
    try {
      return await then(connection, stop.signal)
    } finally {
      await connection.close()
    }
  } finally {
    for (const each of unlisten) each()
  }
}

async function here({ team: wanted }: ServerOptions, host: Host) {
  return serversHere(host, wanted === undefined ? undefined : await loadNamedTeam(wanted, host))
}

function pick(servers: readonly ServerHere[], name: string): ServerHere {
  const found = servers.find((server) => server.name === name)
  if (found) return found
  const near = nearest(
    name,
    servers.map((server) => server.name),
  )
  throw new UserError(`there is no MCP server "${name}"${near}; troupe mcp list shows all`)
}

/** A guess of what was meant, to be set after what is not there. */
function nearest(wanted: string, known: readonly string[]): string {
  const guess = guessName(wanted, known)
  return guess === undefined ? '' : `, did you mean "${guess}"?`
}

function trustedBy(server: ServerHere, { trust }: ServerOptions): ServerHere {
  return trust ? { ...server, trusted: true } : server
}

function placeOf({ cwd, home, policyRoot, env, version }: Host) {
  return { cwd, home, policyRoot, env, version }
}

function mending<Result>(act: () => Result): Result {
  try {
    return act()
  } catch (error) {
    throw new UserError(errorText(error))
  }
}

function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`the arguments are not valid JSON: ${errorText(error)}; give an object such as '{"path": "."}'`)
  }
}
