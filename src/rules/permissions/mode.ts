import {
  permissionSources,
  sourceTraits,
  type PermissionMode,
  type PermissionSource,
  type Policy,
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

/**
 * The widest mode that a person may choose while a run goes on: that of the managed policy, else acceptEdits;
 * bypassPermissions only where a person opened it at the start.
 *
 * @example widestMode({}, { bypass: false }) // 'acceptEdits'
 */
export function widestMode({ policy }: WishedModes, opened: { readonly bypass: boolean }): PermissionMode {
  const open = opened.bypass ? 'bypassPermissions' : 'acceptEdits'
  return policy === undefined || modeWidth[policy] > modeWidth[open] ? open : policy
}

/** Why a person may not choose this mode for a member; null where they may. */
export function modeRefusal({ widest = 'acceptEdits' }: Pick<Policy, 'widest'>, mode: PermissionMode): string | null {
  if (modeWidth[mode] <= modeWidth[widest]) return null
  if (modeWidth[widest] < modeWidth.acceptEdits) return `the managed policy allows no more than ${widest}`
  return 'bypassPermissions is opened at the start of a run or not at all (--dangerously-skip-permissions)'
}

/** The policy of a member in the mode that a person chose for it, where that may be chosen. */
export function withChosenMode(policy: Policy, chosen: PermissionMode | null): Policy {
  if (chosen === null || chosen === policy.mode || modeRefusal(policy, chosen) !== null) return policy
  return chosen === 'plan' ? { ...policy, mode: chosen, afterPlan: policy.mode } : { ...policy, mode: chosen }
}

/** Where a member stands between planning and doing, in the piece of work at hand. */
export interface PlanState {
  /** The member chose to plan first. */
  readonly entered: boolean
  /** A plan of it was approved, and nothing was planned anew since. */
  readonly approved: boolean
}

export const unplanned: PlanState = { entered: false, approved: false }

/**
 * The mode that holds for a member: what it chose to plan is planned first, and an approved plan lifts the plan mode that
 * its policy begins with, where that may be lifted at all.
 *
 * @example modeInForce({ mode: 'plan', afterPlan: 'default' }, { entered: false, approved: true }) // 'default'
 */
export function modeInForce(
  { mode, afterPlan }: Pick<Policy, 'mode' | 'afterPlan'>,
  { entered, approved }: PlanState,
): PermissionMode {
  if (entered) return 'plan'
  return mode === 'plan' && approved ? (afterPlan ?? 'plan') : mode
}

/** The part of the system prompt for a member that has to plan before it changes anything. */
export const planModeText = `You are in plan mode: no file can be changed yet. Look around, work out what you would change and why, and propose it
with ExitPlanMode. When a person approves the plan, carry it out in the same piece of work. Each piece of work begins in plan mode.`
