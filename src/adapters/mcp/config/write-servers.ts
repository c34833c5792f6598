import { mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { errorCode } from '../../fs/error-code.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { replaceFile } from '../../fs/replace-file.ts'
import { personsFile, projectFile } from './read-servers.ts'

/** The scopes that a person writes. */
export type WrittenScope = 'local' | 'user' | 'project'

/** The person or project whose entries are changed. */
export interface WrittenPlace {
  readonly scope: WrittenScope
  readonly cwd: string
  readonly home: string
}

type Document = Record<string, unknown>

/** The file that holds the entries of a scope. */
export function fileOfScope({ scope, cwd, home }: WrittenPlace): string {
  return scope === 'project' ? projectFile(cwd) : personsFile(home)
}

/**
 * Writes an entry, in the place of one with its name.
 * @throws when the file is there and is no JSON object: what somebody wrote by hand is not thrown away
 */
export function writeServer(place: WrittenPlace, name: string, spec: McpServerSpec): void {
  change(place, (servers) => ({ ...servers, [name]: spec }))
}

/**
 * Takes an entry out; false when there was none.
 * @throws when the file is there and is no JSON object
 */
export function removeServer(place: WrittenPlace, name: string): boolean {
  let known = false
  change(place, (servers) => {
    known = Object.hasOwn(servers, name)
    return Object.fromEntries(Object.entries(servers).filter(([each]) => each !== name))
  })
  return known
}

function change(place: WrittenPlace, edit: (servers: Document) => Document): void {
  const file = fileOfScope(place)
  const document = read(file)
  const edited = (holder: Document): Document => ({ ...holder, mcpServers: edit(recordIn(holder['mcpServers'])) })
  const projects = recordIn(document['projects'])
  const whole =
    place.scope === 'local'
      ? { ...document, projects: { ...projects, [place.cwd]: edited(recordIn(projects[place.cwd])) } }
      : edited(document)
  mkdirSync(dirname(file), { recursive: true })
  replaceFile(file, `${JSON.stringify(whole, null, 2)}\n`, place.scope === 'project' ? 0o644 : 0o600)
}

function read(file: string): Document {
  try {
    const document = parseJson(readFileSync(file, 'utf8'))
    if (typeof document === 'object' && document !== null && !Array.isArray(document)) return document as Document
    throw new Error(`${file} is no JSON object; mend it first`)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return {}
    throw error
  }
}

function recordIn(value: unknown): Document {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Document) : {}
}
