import type { Entry } from '../../protocol/facts/entry.ts'
import { unplanned, type PlanState } from '../../rules/permissions/mode.ts'

/** Whether a member plans or carries out, over its whole journal. */
export interface Planning {
  state: PlanState
}

export function emptyPlanning(): Planning {
  return { state: unplanned }
}

/** Takes one journal entry in: an approval holds for one piece of work, and over a restart in the middle of it. */
export function applyPlanning(planning: Planning, entry: Entry): void {
  if (entry.type === 'plan.entered') planning.state = { entered: true, approved: false }
  else if (entry.type === 'plan.approved') planning.state = { entered: false, approved: true }
  else if (entry.type === 'agent.ended') planning.state = unplanned
}
