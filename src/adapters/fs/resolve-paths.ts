import type { Action } from '../../rules/permissions/analyse.ts'
import { followPaths } from '../../rules/permissions/follow.ts'
import { resolveReal } from './resolve-real.ts'

/**
 * Adds to every path of an analysed action where it really leads, so that the cascade can judge link and target.
 *
 * @throws When a path cannot be resolved (see `resolveReal`); the caller refuses the call.
 * @example decide(resolvePaths(analyse(request)), policy)
 */
export function resolvePaths(action: Action): Action {
  return followPaths(action, resolveReal)
}
