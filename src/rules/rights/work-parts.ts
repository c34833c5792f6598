import type { Restriction } from '../../protocol/permissions/restriction.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'

/** A worker that hands on a part of its own work, and the members for whose work it works itself, the outermost first. */
export interface PartAsker {
  readonly card: Pick<MemberCard, 'name' | 'tools' | 'permissions' | 'isolation'>
  readonly chain: readonly string[]
}

/** The limits on parts of work, of the team as a whole. */
interface PartLimits {
  /** `limits.depth`. */
  readonly depth: number
  /** `limits.requests`, and how many parts the asker has handed on already. */
  readonly requests: number
  readonly sent: number
}

/**
 * Why a worker may not hand a part of its work to another one, with the remedy; null when it may. Nobody works for itself
 * through others, no chain is longer than `limits.depth`, and the files of a working tree stay in it.
 *
 * @example partRefusal({ card: ana, chain: [] }, bo, { depth: 5, requests: Infinity, sent: 0 }) // null
 */
export function partRefusal(
  { card, chain }: PartAsker,
  doer: Pick<MemberCard, 'name' | 'isolation'>,
  { depth: deepest, requests, sent }: PartLimits,
): string | null {
  const line = [...chain, card.name]
  if (line.includes(doer.name))
    return `this work is a part of what ${doer.name} does (${[...line, doer.name].join(' → ')}): it would wait for itself. Do the part yourself.`
  const depth = line.length + 1
  if (depth > deepest)
    return `it would be ${depth} steps away from the coordinator, ${deepest} are allowed (limits.depth). Do the part yourself.`
  if (sent >= requests)
    return `${requests} pieces of work are all that may be handed on (limits.requests). Do the rest yourself, or say what is missing.`
  if (card.isolation === 'worktree' && doer.isolation !== 'worktree')
    return `${doer.name} has no working tree of its own and would change the files outside of yours. Do the part yourself.`
  return null
}

/**
 * The restriction of a part that a worker hands on: whoever does it has no tool that the asker has not, no wider mode, and
 * asks where only its own card allows.
 *
 * @param of `name@team` of the asker
 * @param mode the asker's mode now
 * @example withinAsker(reader, fixer, { of: 'reader@team', mode: 'default' }).deny // ['Bash', 'Edit']
 */
export function withinAsker(
  asker: Pick<MemberCard, 'tools' | 'permissions'>,
  doer: Pick<MemberCard, 'tools' | 'permissions'>,
  { of, mode }: { readonly of: string; readonly mode: PermissionMode },
): Restriction {
  const deny = doer.tools.filter((tool) => !asker.tools.includes(tool))
  const ask = (doer.permissions.allow ?? []).filter((rule) => asker.permissions.allow?.includes(rule) !== true)
  return { of, mode, ...(deny.length > 0 ? { deny } : {}), ...(ask.length > 0 ? { ask } : {}) }
}
