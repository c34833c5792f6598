import { needsExactRule } from '../shell/bash-runners.ts'
import { fullCommandName, unwrapped } from '../shell/bash-wrappers.ts'
import { isInside } from '../paths/path-inside.ts'
import type { Action } from './analyse.ts'

/**
 * The narrowest usual rule that would permit a call, as a person would write it in a settings file.
 *
 * @param root The project's root, from which path rules are written.
 * @returns null where one rule cannot do it: several commands at once, or a line that cannot be judged.
 * @example allowingRule(analyse(npmTest), '/repo') // 'Bash(npm test:*)'
 */
export function allowingRule(action: Action, root: string): string | null {
  if (action.unparsable !== undefined) return null
  const [host] = action.hosts
  if (action.tool === 'WebFetch' && host !== undefined) return `WebFetch(domain:${host})`
  if (action.tool === 'Bash') return bashRule(action)
  const [path] = action.paths
  if (path === undefined) return action.tool
  const written = isInside(root, path.path) ? path.path.slice(root.length) : `/${path.path}`
  return `${path.access === 'edit' ? 'Edit' : 'Read'}(${written === '' ? '/**' : written})`
}

function bashRule(action: Action): string | null {
  const [command, ...others] = action.commands
  if (command === undefined || others.length > 0 || action.paths.some((path) => path.of === 'redirect')) return null
  const words = unwrapped(command.words)
  if (needsExactRule(command) || words.length < 2 || command.assignments.length > 0) return `Bash(${command.text})`
  return `Bash(${fullCommandName(words)}:*)`
}
