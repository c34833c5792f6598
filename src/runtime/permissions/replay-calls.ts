import { ruledBehavior } from '../../projections/member/past-calls.ts'
import { callLabel } from '../../projections/screen/call-label.ts'
import type { Behavior } from '../../protocol/permissions/permission.ts'
import { decide } from '../../rules/permissions/cascade.ts'
import { preparedRules } from '../settings/policy.ts'
import { loadRulesWith } from '../settings/load-rules.ts'
import { judgedCalls, type PastPlace } from './past-policies.ts'

/** A past call that other rules would decide otherwise. */
export interface ChangedCall {
  readonly member: string
  /** `Bash(git push)` */
  readonly call: string
  readonly at: number
  readonly from: Behavior
  readonly to: Behavior
  /** Why it would be decided so, and by which rule. */
  readonly reason: string
  readonly rule: string | null
  readonly place: string | null
}

/** All past calls of a run under other rules. */
export interface Replay {
  readonly calls: number
  readonly changed: readonly ChangedCall[]
  /** `ask → allow`: how many. */
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Judges every past call of a run as if a settings file stood in the place of those of project and person; the managed policy, the team
 * file and the options of the run stay. Nothing runs. The disk is looked at as it is now.
 *
 * @param file Absolute path of the settings file; what it opens counts.
 * @throws Error where the run or the file cannot be read
 * @example (await replayCalls(dir, '/home/ann/stricter.json', { home, policyRoot })).counts
 */
export async function replayCalls(dir: string, file: string, place: Omit<PastPlace, 'settings'>): Promise<Replay> {
  const judged = await judgedCalls(dir, { ...place, settings: (options) => loadRulesWith(file, options) })
  const changed = judged.flatMap(({ call, action, policy }): ChangedCall[] => {
    const from = ruledBehavior(call)
    const { behavior, source, reason, rule = null, at = null } = decide(action, policy, preparedRules(policy))
    // Where nobody is asked a question is a denial: the rules said ask all the same.
    const to = source === 'nobody' ? 'ask' : behavior
    if (from === to || (call.asked ?? call.decided).of !== undefined) return []
    const { member, tool, input } = call
    return [{ member, call: callLabel(tool, input), at: call.at, from, to, reason, rule, place: at }]
  })
  const counts: Record<string, number> = {}
  for (const { from, to } of changed) counts[`${from} → ${to}`] = (counts[`${from} → ${to}`] ?? 0) + 1
  return { calls: judged.length, changed, counts }
}
