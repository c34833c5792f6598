import type { PermissionMode, Policy } from '../../protocol/permissions/permission.ts'

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

/** The text for a model whose plan was not approved; null when the plan was refused for another reason. */
export function planRefusal(source: string, reason: string): string | null {
  if (source === 'human') {
    return `The plan was not approved: ${sentence(reason)} You are still in plan mode: change the plan accordingly and propose it again, or end with what you know.`
  }
  if (source === 'nobody') {
    return `Nobody can approve a plan now: ${sentence(reason)} You are still in plan mode: end your turn with the plan as your answer.`
  }
  return null
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
