import type { LastWork } from '../../projections/member/last-work.ts'
import type { AgentOutput, ReplyOutput } from '../../protocol/port.ts'
import { amended } from '../../projections/team/obligations.ts'
import { leftWork, noteUnchecked, settleCalls, type ReturningAgent } from '../agent/take-up-work.ts'
import type { MemberStore } from './member-store.ts'

/** The work that a member goes on with. */
interface TakenUp {
  /** The journal ends in the middle of a piece of work. */
  readonly unanswered: boolean
  /** The model that has that work since it was handed to the stronger one. */
  readonly escalated?: string
}

/**
 * Takes up what an earlier life of the member left: calls without a result are settled, and work that was finished and not
 * answered is answered.
 * @param answer answers what the earlier life owed
 * @returns whether the member has to go on with its work, and which model has that
 */
export async function resumeMember(
  { debts }: Pick<MemberStore, 'debts'>,
  life: ReturningAgent,
  answer: (outcome: AgentOutput) => Promise<ReplyOutput>,
): Promise<TakenUp> {
  const { conversation, ledger, work } = life.store
  if (conversation.messages.length === 0) return { unanswered: false }
  await settleCalls(life)
  const left = leftWork(work, conversation, life.verifies)
  noteUnchecked(life.store, left)
  if (left !== null) return { unanswered: true, ...(left.escalated === undefined ? {} : { escalated: left.escalated }) }
  if (debts.owed.size > 0 || amended(debts) !== null) {
    const { replied } = await answer(outcomeOf(work))
    ledger.record(replied.map(({ request, mail_id }) => ({ type: 'member.replied', request, mail_id })))
  }
  return { unanswered: debts.due }
}

/** How the last piece of work ended: as the journal says, or as its last answer shows. */
function outcomeOf({ end, failure }: LastWork): AgentOutput {
  const ended = { turn: 0 }
  if (end !== null) return { ...ended, ...end }
  return failure ? { ...ended, reason: 'failed', failure } : { ...ended, reason: 'completed' }
}
