import { answerFold } from '../../projections/team/answer.ts'
import { applyShortfall, emptyShortfall, flawIn } from '../../projections/team/shortfall.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { CollectOutput } from '../../protocol/port.ts'
import type { RunContext } from '../context/run-context.ts'

/** Follows a run, from what an earlier leader left on, for the lead's answer and for what takes its worth away. */
export function leadAnswer({ team, earlier, facts }: Pick<RunContext, 'team' | 'earlier' | 'facts'>) {
  const answer = answerFold(team.coordinator)
  const shortfall = emptyShortfall(team.gather)
  const hear = (recorded: Recorded): void => {
    answer.apply(recorded)
    applyShortfall(shortfall, recorded)
  }
  for (const recorded of earlier.recorded) hear(recorded)
  facts.subscribe(hear)
  return (): CollectOutput => ({ ...answer.answer(), flaw: flawIn(shortfall) })
}
