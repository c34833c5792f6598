import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../../fs/error-code.ts'
import { parseJson } from '../../fs/parse-json.ts'
import {
  foreignServerSchema,
  mcpServerNameSchema,
  type McpScope,
  type ScopedServer,
} from '../../../protocol/mcp/server-spec.ts'

/** Where servers are looked for. */
export interface ServerPlaces {
  readonly cwd: string
  readonly home: string
  /** The directory of the managed policy. */
  readonly policyRoot: string
}

/** The entries of all files, and what in them cannot be used. */
export interface FoundServers {
  readonly servers: readonly ScopedServer[]
  /** A managed file is there, readable or not: no other file counts. */
  readonly managed: boolean
  readonly problems: readonly { readonly file: string; readonly message: string }[]
}

interface Reading {
  readonly servers: ScopedServer[]
  readonly problems: { readonly file: string; readonly message: string }[]
}

/** The person's own file: servers for everywhere, and by project. */
export function personsFile(home: string): string {
  return join(home, '.troupe', 'mcp.json')
}

/** The file of a project, as every program of this kind reads it. */
export function projectFile(cwd: string): string {
  return join(cwd, '.mcp.json')
}

/**
 * Reads the servers of every file there is: managed, the person's own, the project's, those of Claude Code included.
 * What is wrong with one entry takes nothing from the others.
 *
 * @example foundServers({ cwd: '/home/ann/shop', home: '/home/ann', policyRoot: '/etc/troupe' }).servers
 */
export function foundServers({ cwd, home, policyRoot }: ServerPlaces): FoundServers {
  const found: Reading = { servers: [], problems: [] }
  const managed = managedFiles(policyRoot).map((file) =>
    readFile(found, file, (document) => entriesIn(found, document, { scope: 'enterprise', file })),
  )
  for (const file of [personsFile(home), join(home, '.claude.json')]) {
    readFile(found, file, (document) => {
      const { projects } = document as { readonly projects?: Readonly<Record<string, unknown>> }
      entriesIn(found, projects?.[cwd], { scope: 'local', file })
      entriesIn(found, document, { scope: 'user', file })
    })
  }
  const project = projectFile(cwd)
  const off = switchedOff(cwd, home)
  readFile(found, project, (document) => entriesIn(found, document, { scope: 'project', file: project }))
  const servers = found.servers.map((server) =>
    server.scope === 'project' && off.has(server.name)
      ? { ...server, spec: { ...server.spec, disabled: true } }
      : server,
  )
  return { servers, managed: managed.some(Boolean), problems: found.problems }
}

function managedFiles(policyRoot: string): readonly string[] {
  return [join(policyRoot, 'mcp.json'), '/etc/claude-code/managed-mcp.json']
}

/** Every file that `foundServers` reads, there or not. */
export function serverFiles({ cwd, home, policyRoot }: ServerPlaces): readonly string[] {
  const persons = [personsFile(home), join(home, '.claude.json')]
  return [...managedFiles(policyRoot), ...persons, projectFile(cwd), ...switchingFiles(cwd, home)]
}

/** Reads a file that may be missing; says whether it is there. */
function readFile({ problems }: Reading, file: string, read: (document: object) => void): boolean {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return false
    problems.push({ file, message: 'cannot be read; make it readable for this user' })
    return true
  }
  const document = parseJson(text)
  if (typeof document === 'object' && document !== null) read(document)
  else problems.push({ file, message: 'is no JSON object; write {"mcpServers": {…}}' })
  return true
}

function entriesIn(
  { servers, problems }: Reading,
  document: unknown,
  { scope, file }: { readonly scope: McpScope; readonly file: string },
): void {
  const { mcpServers } = (document ?? {}) as { readonly mcpServers?: unknown }
  if (mcpServers === undefined) return
  if (typeof mcpServers !== 'object' || mcpServers === null || Array.isArray(mcpServers)) {
    problems.push({ file, message: 'mcpServers is no object of entries by name' })
    return
  }
  for (const [name, entry] of Object.entries(mcpServers)) {
    const named = mcpServerNameSchema.safeParse(name)
    const parsed = foreignServerSchema.safeParse(entry)
    const issue = named.error?.issues[0] ?? parsed.error?.issues[0]
    if (parsed.success && named.success) servers.push({ name, spec: parsed.data, scope, file })
    else {
      const field = issue?.path.length ? `.${issue.path.join('.')}` : ''
      problems.push({ file, message: `mcpServers.${name}${field}: ${issue?.message ?? 'is wrong'}` })
    }
  }
}

/** Servers of the project that a person switched off in the settings of Claude Code. */
function switchedOff(cwd: string, home: string): ReadonlySet<string> {
  const names = switchingFiles(cwd, home).flatMap((file): readonly string[] => {
    try {
      const { disabledMcpjsonServers: off } = parseJson(readFileSync(file, 'utf8')) as {
        readonly disabledMcpjsonServers?: unknown
      }
      return Array.isArray(off) ? off.filter((name) => typeof name === 'string') : []
    } catch {
      // The file is missing, or its own reader says what is wrong with it.
      return []
    }
  })
  return new Set(names)
}

function switchingFiles(cwd: string, home: string): readonly string[] {
  const own = join(cwd, '.claude')
  return [join(home, '.claude', 'settings.json'), join(own, 'settings.json'), join(own, 'settings.local.json')]
}
