import type { ToolContext } from '../../../protocol/tools/tool.ts'

/** Which of the paths that a search finds it may not show, and how many it met. */
export interface ClosedBelow {
  holds(path: string): boolean
  /** A line for the model when something was left out, else nothing. */
  note(): readonly string[]
}

/**
 * Paths that permission rules close below the start of a search, under the name that was asked for and under the real
 * one.
 *
 * @example paths.filter((path) => !closedBelow(context, '/project').holds(path))
 */
export function closedBelow({ closed, led }: Pick<ToolContext, 'closed' | 'led'>, root: string): ClosedBelow {
  const real = led?.get(root) ?? root
  const met = new Set<string>()
  return {
    holds(path) {
      if (closed === undefined || met.has(path)) return closed !== undefined
      const there = real === root ? path : `${real}${path.slice(root.length)}`
      const held = closed(path, root) || (there !== path && closed(there, real))
      if (held) met.add(path)
      return held
    },
    note: () => (met.size === 0 ? [] : ['[files that permission rules close are left out]']),
  }
}
