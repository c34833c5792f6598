import { createHash } from 'node:crypto'
import type { ToolSpec } from '../../protocol/tool.ts'

const taken = /^[\w-]{1,64}$/
const longest = 64

/**
 * A tool's name as every vendor takes it: letters, digits, `_` and `-`, at most 64. What had to be changed carries
 * a piece of its own hash, so that two names never become one and the same name is always spelled the same.
 *
 * `wireName('mcp__files.read all')` → `mcp__files_read_all_…`
 */
export function wireName(name: string): string {
  if (taken.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.replaceAll(/[^\w-]/g, '_').slice(0, longest - hash.length - 1)}_${hash}`
}

const none: ReadonlyMap<string, string> = new Map()
const known = new WeakMap<readonly ToolSpec[], ReadonlyMap<string, string>>()

/** The tools that are spelled otherwise on the wire: their own names by what the model calls them. */
export function ownNames(tools: readonly ToolSpec[]): ReadonlyMap<string, string> {
  const before = known.get(tools)
  if (before) return before
  const changed = tools.flatMap(({ name }) => (taken.test(name) ? [] : [[wireName(name), name] as const]))
  const names = changed.length === 0 ? none : new Map(changed)
  known.set(tools, names)
  return names
}
