import {
  permissionSources,
  sourceTraits,
  type PermissionMode,
  type PermissionSource,
} from '../../protocol/permissions/permission.ts'

/** How much each mode lets through without a question. */
export const modeWidth: Readonly<Record<PermissionMode, number>> = {
  plan: 0,
  dontAsk: 1,
  default: 1,
  acceptEdits: 2,
  bypassPermissions: 3,
}

const cycle: Readonly<Record<PermissionMode, PermissionMode>> = {
  default: 'acceptEdits',
  acceptEdits: 'plan',
  plan: 'bypassPermissions',
  bypassPermissions: 'default',
  dontAsk: 'default',
}

/**
 * The mode that follows in the cycle a person steps through. `bypassPermissions` is left out unless a person opened it;
 * `dontAsk` is in no cycle and leads back to `default`.
 *
 * @example nextMode('plan', { bypass: false }) // 'default'
 */
export function nextMode(mode: PermissionMode, opened: { readonly bypass: boolean }): PermissionMode {
  const next = cycle[mode]
  return next === 'bypassPermissions' && !opened.bypass ? 'default' : next
}

/** A source of permissions, or the team file with its member's card. */
type ModeAuthority = PermissionSource | 'team'
export type WishedModes = Partial<Record<ModeAuthority, PermissionMode | undefined>>

/** The team file stands between the command line and the settings files of a workspace. */
const teamRank = 3

const modeRanks = new Map<ModeAuthority, number>([
  ['team', teamRank],
  ...permissionSources.flatMap((source): [ModeAuthority, number][] => {
    const { modeRank } = sourceTraits[source]
    return modeRank === null ? [] : [[source, modeRank]]
  }),
])

/** The authorities that may ask for a mode, the strongest first. */
export const modeAuthorities = [...modeRanks].toSorted(([, a], [, b]) => a - b).map(([who]) => who)

/**
 * The mode that holds: the first that is wished for. What the managed policy wishes is also the widest that anyone
 * may have, and `bypassPermissions` counts only where a person opened it.
 *
 * @example chooseMode({ user: 'acceptEdits', cliArg: 'plan' }, { bypass: false }) // 'plan'
 */
export function chooseMode(wished: WishedModes, opened: { readonly bypass: boolean }): PermissionMode {
  const open = modeAuthorities.flatMap((who) => {
    const mode = wished[who]
    return mode === undefined || (mode === 'bypassPermissions' && !opened.bypass) ? [] : [mode]
  })
  const [first = 'default', second] = open
  const managed = wished.policy !== undefined && first === wished.policy
  return managed && second !== undefined && modeWidth[second] < modeWidth[first] ? second : first
}
