import { textOf, type Message } from '../../protocol/conversation/message.ts'
import { isFrameOf, shortLine } from '../../rules/conversation/mail-frame.ts'
import { debtOf } from '../../rules/conversation/task-queue.ts'
import type { BoardTask } from '../../protocol/work/task.ts'
import { owedNow, type Obligations } from './obligations.ts'

/** Whether a message is a task or a question that the member has not answered. */
export function isOwed({ owed }: Pick<Obligations, 'owed'>): (message: Message) => boolean {
  return (message) => {
    if (message.role !== 'user' || message.origin !== 'runtime') return false
    const text = textOf(message)
    return [...owed.values()].some(({ id }) => isFrameOf(text, id))
  }
}

/** The open answers of a member, for its conversation when that is made shorter. */
export function standingOf(debts: Obligations): readonly string[] {
  const owed = owedNow(debts).map((debt) => `You owe ${debt.from} an answer (${debt.kind} ${debtOf(debt)}).`)
  const asked = debts.asked.size === 0 ? [] : [`You wait for answers to ${debts.asked.size} questions of yours.`]
  return [...owed, ...asked]
}

const over: ReadonlySet<string> = new Set(['done', 'failed', 'cancelled'])

/** The tasks of a board that are not over, for the conversations of its members when those are made shorter. */
export function boardLines(tasks: Iterable<BoardTask>): readonly string[] {
  return [...tasks]
    .filter(({ state }) => !over.has(state))
    .map(({ task, subject, state, by }) => {
      return `Task ${task} of the board (${state}${by === null ? '' : `, ${by}`}): ${shortLine(subject, 160)}`
    })
}
