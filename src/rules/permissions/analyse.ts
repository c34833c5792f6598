import type { PermissionRequest } from '../../protocol/permissions/permission.ts'
import type { ToolEffect } from '../../protocol/tools/tool.ts'
import { bashCommands } from '../shell/walk/bash-commands.ts'
import { withWritten } from '../shell/walk/code-files.ts'
import { placesSet } from '../shell/bash-places.ts'
import { operandsOf } from '../shell/bash-operands.ts'
import type { BashCommand } from '../shell/bash-command.ts'
import type { Operand } from '../shell/reach.ts'
import { spellings } from '../shell/bash-runners.ts'
import { hidesCommands } from '../shell/bash-unseen.ts'
import { shorterForms, withoutGlobs } from '../shell/open-texts.ts'
import { resolveFrom } from '../paths/path-inside.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

type Found = Pick<Action, 'paths' | 'commands' | 'hosts' | 'unparsable' | 'unseen' | 'wideGlobs'>

interface Arguments {
  readonly kind: ToolEffect
  /** The argument that holds a path; the working directory when it is not given and `here` is set. */
  readonly path?: string
  readonly here?: boolean
}

const builtins: ReadonlyMap<string, Arguments> = new Map(
  Object.entries<Arguments>({
    Read: { kind: 'read', path: 'file_path' },
    NotebookRead: { kind: 'read', path: 'notebook_path' },
    Glob: { kind: 'read', path: 'path', here: true },
    Grep: { kind: 'read', path: 'path', here: true },
    LS: { kind: 'read', path: 'path', here: true },
    Write: { kind: 'edit', path: 'file_path' },
    Edit: { kind: 'edit', path: 'file_path' },
    MultiEdit: { kind: 'edit', path: 'file_path' },
    NotebookEdit: { kind: 'edit', path: 'notebook_path' },
    Bash: { kind: 'execute' },
    WebFetch: { kind: 'network' },
    Delegate: { kind: 'team' },
    SendMessage: { kind: 'team' },
    Wait: { kind: 'team' },
    Report: { kind: 'team' },
    Answer: { kind: 'team' },
    StopWorker: { kind: 'team' },
    TaskCreate: { kind: 'team' },
    TaskClaim: { kind: 'team' },
    TaskDone: { kind: 'team' },
    TaskList: { kind: 'team' },
    TodoWrite: { kind: 'none' },
    Skill: { kind: 'none' },
    AskUser: { kind: 'none' },
    Advisor: { kind: 'none' },
    Forget: { kind: 'none' },
    Recall: { kind: 'none' },
    Remember: { kind: 'none' },
    EnterPlanMode: { kind: 'none' },
    ExitPlanMode: { kind: 'none' },
    ToolSearch: { kind: 'none' },
    BashOutput: { kind: 'none' },
    KillBash: { kind: 'none' },
  }),
)

/**
 * Works out what a call would touch: files, shell commands, hosts. Reads nothing but the arguments; a tool
 * it does not know counts as one that executes, unless it declares that it touches nothing.
 *
 * @example analyse({ tool: 'Read', input: { file_path: 'a.txt' }, cwd: '/repo', home: '/home/ann' }).paths
 */
export function analyse(request: PermissionRequest): Action {
  const input = isRecord(request.input) ? request.input : {}
  const known = builtins.get(request.tool)
  const { cwd, home, tool, searched } = request
  const action = { ...found(request, input, known), tool, kind: known?.kind ?? 'execute', input, cwd, home, searched }
  return known === undefined ? { ...action, ...declared(request) } : action
}

/** A tool that is not built in is believed what it says of itself, where that is not less than the restrictive answer. */
function declared(request: PermissionRequest) {
  const { harmless = false, destructive = false, interactive = false, reaches, files, cwd, home } = request
  const host = reaches === undefined ? null : hostOf(reaches.url)
  return {
    kind: harmless ? ('none' as const) : ('execute' as const),
    ...(destructive ? { destructive } : {}),
    ...(interactive ? { interactive } : {}),
    ...(files === undefined ? {} : { foreign: true as const, ...spokenOf(files, cwd, home) }),
    ...(reaches === undefined ? {} : { reaches, hosts: host === null ? [] : [host] }),
  }
}

function spokenOf(
  { paths, access }: NonNullable<PermissionRequest['files']>,
  cwd: string,
  home: string,
): Pick<Action, 'paths'> & { readonly unparsable?: string } {
  if (paths.some((path) => path.includes('\0'))) return { paths: [], unparsable: 'a path holds a NUL character' }
  return { paths: paths.map((path) => ({ path: resolveFrom(cwd, home, path), access, of: 'tool' })) }
}

function found(request: PermissionRequest, input: Action['input'], known: Arguments | undefined): Found {
  if (request.tool === 'Bash') return inCommand(request, input['command'])
  if (request.tool === 'WebFetch') return inAddress(input['url'])
  return known?.path === undefined ? nothing : inArgument(request, input, known)
}

const nothing: Found = { paths: [], commands: [], hosts: [] }

function inArgument(request: PermissionRequest, input: Action['input'], known: Arguments): Found {
  const { cwd, home, tool } = request
  const given = input[known.path ?? '']
  const text = given === undefined && known.here === true ? cwd : given
  if (typeof text !== 'string' || text === '') return { ...nothing, unparsable: 'the call names no file' }
  const base = resolveFrom(cwd, home, text)
  const all = [base, ...globStart(input['pattern'], tool).map((start) => resolveFrom(base, home, start))]
  if (all.some((path) => path.includes('\0'))) return { ...nothing, unparsable: 'a path holds a NUL character' }
  const access = known.kind === 'edit' ? 'edit' : 'read'
  return { ...nothing, paths: all.map((path) => ({ path, access, of: 'tool' })) }
}

/** A file pattern may lead elsewhere by itself: the part before its first wildcard is where it starts. */
function globStart(pattern: unknown, tool: string): string[] {
  if (tool !== 'Glob' || typeof pattern !== 'string') return []
  const steady = pattern.split(/[*?[{]/, 1)[0] ?? ''
  const rest = pattern.slice(steady.length)
  if (/(^|[/{,])\.\.(?=[/,}]|$)|[{,]\s*[/~]/.test(rest)) return ['/']
  return steady === '' ? [] : [steady.slice(0, steady.lastIndexOf('/') + 1) || '.']
}

function inAddress(url: unknown): Found {
  const host = typeof url === 'string' ? hostOf(url) : null
  return host === null ? { ...nothing, unparsable: 'the address cannot be read' } : { ...nothing, hosts: [host] }
}

/** The host a browser would contact: lower case, punycode, without a final dot. */
function hostOf(address: string): string | null {
  const url = URL.parse(address)
  if (url === null || url.hostname === '') return null
  return url.hostname.toLowerCase().replace(/\.$/, '')
}

function inCommand(request: PermissionRequest, line: unknown): Found {
  if (typeof line !== 'string') return { ...nothing, unparsable: 'there is no command in it' }
  const parsed = bashCommands(line, request)
  const commands = withWritten(parsed.commands).map((command): ActionCommand => ({
    ...command,
    spellings: spellingsOf(command),
    hides: hidesCommands(command),
  }))
  const lost = commands.some(
    ({ directories, redirects }) =>
      directories === null && redirects.some(({ word }) => !/^[/~]/.test(word.value ?? '')),
  )
  const moves = commands.some(({ directories }) => directories?.length !== 1 || directories[0] !== request.cwd)
  const places = line.includes('GIT_') ? [...new Set(commands.flatMap(placesSet))] : none
  const told = places.length > mostRepositories ? none : places
  const open = lost ? 'a redirect follows a cd to an unknown directory' : undefined
  const named: ActionPath[] = []
  for (const [index, command] of commands.entries()) named.push(...pathsOf({ command, index, moves, told }, request))
  const paths = named.filter(({ path }) => path.length < longestPath)
  const long = told === places && paths.length === named.length ? undefined : 'it names too much to look at'
  const unparsable = parsed.unparsable ?? open ?? long
  return { commands, paths, hosts: hostsIn(commands), unparsable, unseen: parsed.unseen, wideGlobs: parsed.wideGlobs }
}

/** With more places of repositories, or longer paths, a line is not judged. */
const mostRepositories = 8
const longestPath = 2_000

function spellingsOf(command: BashCommand): readonly string[] {
  const [, ...shorter] = shorterForms(command)
  return shorter.length === 0 ? spellings(command) : [command, ...shorter].flatMap(spellings)
}

function hostsIn(commands: readonly ActionCommand[]): string[] {
  const hosts: string[] = []
  for (const { words } of commands)
    for (const { value } of words) {
      const host = value?.includes('://') === true && /^[a-z]+:\/\//i.test(value) ? hostOf(value) : null
      if (host !== null) hosts.push(host)
    }
  return hosts
}

interface Placed {
  readonly command: ActionCommand
  readonly index: number
  /** Some command of the line changes the directory. */
  readonly moves: boolean
  /** Where variables of the line tell git to look for its repository. */
  readonly told: readonly string[]
}

function pathsOf({ command, index, moves, told }: Placed, { cwd, home }: PermissionRequest): ActionPath[] {
  const paths: ActionPath[] = []
  const add = (operand: Named, of: ActionPath['of']): void => {
    const { path: written, access, loose, told: isTold, ifThere, below, fromTop } = operand
    const glob = operand.glob ? written : undefined
    if (written === '') return
    // From an unknown directory a relative path may lead to the file of that name here: rules that forbid say so.
    for (const start of command.directories ?? [cwd]) {
      const path = resolveFrom(start, home, written)
      // Each has all fields, in this order: code that looks at paths of one shape is faster.
      const found = { path, access, of, command: index, glob, loose, told: isTold, ifThere, below }
      if (fromTop === undefined) {
        const climbs = written.includes('..') ? leftBy(written, { start, home, moves }) : none
        paths.push({ ...found, climbs: climbs.length > 0 ? climbs : undefined })
      } else
        for (const place of [...fromTop, ...told])
          paths.push({ ...found, fromTop: { name: written, place: resolveFrom(start, home, place) } })
      if (below?.history === true)
        for (const place of told)
          paths.push({ ...found, path: resolveFrom(start, home, place), below: { ...below, whole: true } })
    }
  }
  for (const { access, word } of command.redirects)
    for (const path of word.value === null ? (word.shorter ?? none) : [word.value])
      add({ path, access, glob: word.glob }, 'redirect')
  if (command.redirects.length > 0 && command.words.some(({ text }) => reopens.test(text)))
    for (const { word } of command.redirects)
      add({ path: word.value ?? '', access: 'edit', glob: word.glob }, 'operand')
  for (const shorter of shorterForms(command))
    for (const form of withoutGlobs(shorter)) for (const operand of operandsOf(form)) add(operand, 'operand')
  return paths
}

/** A program that names what it was given opens that anew, perhaps to write it. */
const reopens = /\/dev\/(stdin|fd\/)|\/proc\/(self|thread-self)\/fd/

type Named = Pick<Operand, 'path' | 'access' | 'glob'> & Partial<Operand>

const none: readonly string[] = []
/** The directories that the `..` of a path leave. Where the line stays in its directory, that one is known to be real. */
function leftBy(
  written: string,
  { start, home, moves }: { readonly start: string; readonly home: string; readonly moves: boolean },
): readonly string[] {
  const left: string[] = []
  let at = /^[/~]/.test(written) ? resolveFrom('/', home, written.startsWith('/') ? '/' : '~') : start
  for (const segment of written.replace(/^~/, '').split('/')) {
    if (segment === '..' && (moves || at !== start)) left.push(at)
    at = resolveFrom(at, home, `./${segment}`)
  }
  return left
}
