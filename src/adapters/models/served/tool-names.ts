import { createHash } from 'node:crypto'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'

const taken = /^[a-z_][\w-]{0,63}$/i
const longest = 64

/**
 * A tool's name as every vendor takes it: letters, digits, `_` and `-`, at most 64, no digit first. What had to be changed
 * carries a piece of its own hash, so that two names never become one and the same name is always spelled the same.
 *
 * `wireName('mcp__files.read all')` → `mcp__files_read_all_…`
 */
export function wireName(name: string): string {
  if (taken.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const spelled = name.replaceAll(/[^\w-]/g, '_').replace(/^(?![a-z_])/i, '_')
  return `${spelled.slice(0, longest - hash.length - 1)}_${hash}`
}

/** A parameter's name as Anthropic takes it. */
export function wireKey(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : wireName(name)
}

/** What a model calls a tool or its parameters by, where that is not their own name. */
interface OwnName {
  readonly name: string
  /** Own names of parameters by what the model calls them. */
  readonly keys: ReadonlyMap<string, string>
}

const none: ReadonlyMap<string, OwnName> = new Map()
const known = new WeakMap<readonly ToolSpec[], ReadonlyMap<string, OwnName>>()

/** The tools of which something is spelled otherwise on the wire, by what the model calls them. */
export function ownNames(tools: readonly ToolSpec[]): ReadonlyMap<string, OwnName> {
  const before = known.get(tools)
  if (before) return before
  const changed = tools.flatMap(({ name, parameters }) => {
    const keys = Object.keys(parameters['properties'] ?? {}).filter((key) => wireKey(key) !== key)
    if (taken.test(name) && keys.length === 0) return []
    return [[wireName(name), { name, keys: new Map(keys.map((key) => [wireKey(key), key])) }] as const]
  })
  const names = changed.length === 0 ? none : new Map(changed)
  known.set(tools, names)
  return names
}
