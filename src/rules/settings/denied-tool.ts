import type { Policy } from '../../protocol/permissions/permission.ts'
import { parseRule } from '../permissions/rule.ts'

const known = new WeakMap<Policy, readonly string[]>()
const never = (): boolean => false

/**
 * Tells of a tool whether deny rules close it whatever it is called with.
 *
 * @example deniesWholeTool(policy)('WebFetch') // true under the deny rule `WebFetch`
 */
export function deniesWholeTool(policy: Policy): (tool: string) => boolean {
  const patterns = known.get(policy) ?? wholeTools(policy)
  known.set(policy, patterns)
  return patterns.length === 0 ? never : (tool) => patterns.some((pattern) => covers(pattern, tool))
}

function wholeTools({ rules }: Policy): readonly string[] {
  return Object.values(rules)
    .flatMap(({ deny = [] }) => deny)
    .flatMap((text) => {
      const rule = parseRule(text)
      return 'error' in rule || rule.kind !== 'tool' ? [] : [rule.tool]
    })
}

function covers(pattern: string, tool: string): boolean {
  if (pattern === tool || pattern === '*') return true
  if (pattern.endsWith('*')) return tool.startsWith(pattern.slice(0, -1))
  return pattern.startsWith('mcp__') && tool.startsWith(`${pattern}__`)
}
