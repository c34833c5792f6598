import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { McpListing, McpTool } from '../../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import { serverGrant } from '../../../rules/mcp/server-scopes.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { replaceFile } from '../../fs/replace-file.ts'

/** The offer of a server when it was last connected, and its tools as a person last agreed to them. */
interface SeenServer {
  readonly listing: McpListing
  /** By name: the mark of what the tool said of itself. */
  readonly agreed: Readonly<Record<string, string>>
}

/** The name under which a server is remembered: another entry is another server. */
export function seenKey(name: string, spec: McpServerSpec): string {
  return createHash('sha256').update(serverGrant(name, spec)).digest('hex').slice(0, 32)
}

/** The latest content of each file, and what told it from the one before. */
const latest = new Map<string, { readonly version: string; readonly seen: SeenServer | null }>()

/** The memory of a server; null when it was never connected here. The same as long as its file is. */
export function readSeen(home: string, key: string): SeenServer | null {
  const file = fileOf(home, key)
  try {
    const { ino, mtimeNs, size } = statSync(file, { bigint: true })
    const version = `${ino} ${mtimeNs} ${size}`
    const known = latest.get(file)
    if (known?.version === version) return known.seen
    const read = parseJson(readFileSync(file, 'utf8')) as SeenServer | undefined
    const seen = Array.isArray(read?.listing.tools) && typeof read.agreed === 'object' ? read : null
    latest.set(file, { version, seen })
    return seen
  } catch {
    return null
  }
}

/** Remembers what a server offers now. A tool that is new counts as agreed to: rules that allow it were written for it. */
export function rememberListing(home: string, key: string, listing: McpListing): void {
  const before = readSeen(home, key)
  const agreed = Object.fromEntries(
    listing.tools.map((tool) => [tool.name, agreedMark(before?.agreed, tool) ?? tool.mark]),
  )
  write(home, key, { listing, agreed: { ...before?.agreed, ...agreed } })
}

/** The mark of a tool when a person last agreed to it; a server may call its tools `constructor`. */
export function agreedMark(agreed: SeenServer['agreed'] = {}, { name }: McpTool): string | undefined {
  return Object.hasOwn(agreed, name) ? agreed[name] : undefined
}

/** A person agreed to a tool as it is now. */
export function agreeTo(home: string, key: string, tool: McpTool): void {
  const before = readSeen(home, key)
  if (before) write(home, key, { ...before, agreed: { ...before.agreed, [tool.name]: tool.mark } })
}

function write(home: string, key: string, seen: SeenServer): void {
  mkdirSync(join(home, '.troupe', 'mcp', 'seen'), { recursive: true, mode: 0o700 })
  replaceFile(fileOf(home, key), `${JSON.stringify(seen)}\n`, 0o600)
}

function fileOf(home: string, key: string): string {
  return join(home, '.troupe', 'mcp', 'seen', `${key}.json`)
}
