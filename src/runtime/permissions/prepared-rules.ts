import type { Policy } from '../../protocol/permissions/permission.ts'
import { policyRules, type PolicyRules } from '../../rules/permissions/rule-index.ts'

const known = new WeakMap<Policy, PolicyRules>()

/** The prepared rules of a policy. Preparing many rules takes longer than a decision, so one policy prepares them once. */
export function preparedRules(policy: Policy): PolicyRules {
  const before = known.get(policy)
  if (before !== undefined) return before
  const rules = policyRules(policy)
  known.set(policy, rules)
  return rules
}
