import type { Planning } from '../../projections/member/plan-state.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Policy } from '../../protocol/permissions/permission.ts'
import type { PlanPort } from '../../protocol/tools/tool.ts'
import { modeInForce } from '../../rules/permissions/mode.ts'

/** How one member plans: what its tools do about it, and the policy that holds meanwhile. */
export interface PlanMode {
  readonly port: PlanPort
  /** The same object until something changed. */
  policy(): Policy
}

/**
 * Opens the plan mode of one member.
 *
 * @param base the policy of the member without what it planned
 * @param note journals a fact; the fold over the journal is what `planning` holds
 */
export function openPlanMode(planning: Planning, base: () => Policy, note: (fact: Fact) => void): PlanMode {
  let made: { readonly from: Policy; readonly policy: Policy } | undefined
  const policy = (): Policy => {
    const from = base()
    const mode = modeInForce(from, planning.state)
    if (mode === from.mode) return from
    if (made?.from !== from || made.policy.mode !== mode) made = { from, policy: { ...from, mode } }
    return made.policy
  }
  return {
    policy,
    port: {
      planning: () => policy().mode === 'plan',
      bound: () => modeInForce(base(), { entered: false, approved: true }) === 'plan',
      enter: (call_id, reason) => note({ type: 'plan.entered', call_id, reason }),
      approve: (call_id) => note({ type: 'plan.approved', call_id }),
    },
  }
}
