import type { ToolContext } from '../../../protocol/tools/tool.ts'
import { resolveFrom } from '../../../rules/paths/path-inside.ts'

/**
 * The absolute path that an argument names. The permission cascade resolves with the same rule: what was judged is
 * what is touched.
 *
 * @example placeOf(context, 'src') // '/project/src'
 */
export function argumentPath(context: Pick<ToolContext, 'cwd' | 'home'>, path: string): string {
  return resolveFrom(context.cwd, context.home, path)
}
