import { owedNow, type Obligations } from '../../projections/team/obligations.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { debtOf } from '../../rules/conversation/task-queue.ts'
import { isRepairOf } from '../../rules/team/task-text.ts'

/**
 * The shape that a worker's model is held to by its vendor: of the one contract it owes, when it can do nothing but answer.
 * While it may still use tools it is told the shape in words only, because some vendors force an answer at once.
 */
export function answerShape(
  debts: Obligations,
  { messages }: Pick<Conversation, 'messages'>,
  { tools }: Pick<MemberCard, 'tools'>,
): Pick<ModelRequest, 'output'> {
  const [debt, ...others] = owedNow(debts)
  if (debt?.returns?.['type'] !== 'object' || others.length > 0) return {}
  const last = messages.at(-1)
  const repairs = last?.role === 'user' && isRepairOf(textOf(last), debtOf(debt))
  return tools.length === 0 || repairs ? { output: { name: 'answer', schema: debt.returns } } : {}
}
