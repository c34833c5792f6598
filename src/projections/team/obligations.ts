import type { Entry } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { foldOver, ignore } from '../fold/fold.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import {
  debtOf,
  emptyTasks,
  isTask,
  nextTask,
  type QueuedTask,
  type TaskQueue,
} from '../../rules/conversation/task-queue.ts'

/** Open answers of a member, in both directions, oldest first. */
export interface Obligations {
  /** Tasks and questions that it received and has not answered. */
  readonly owed: Map<string, Envelope>
  /** Questions that it asked and that nobody has answered, by their mail. */
  readonly asked: Set<string>
  /** Which task it works on, and which wait for their turn. */
  readonly tasks: TaskQueue
  /** The turn of a task has come, and no work began since. */
  due: boolean
}

export function emptyObligations(): Obligations {
  return { owed: new Map(), asked: new Set(), tasks: emptyTasks(), due: false }
}

/** Answers that the member owes for the work at hand: a task that waits for its turn is not yet due. */
export function owedNow({ owed, tasks }: Obligations): readonly Envelope[] {
  const atHand = tasks.atHand?.envelope.id
  return [...owed.values()].filter((envelope) => !isTask(envelope) || envelope.id === atHand)
}

/** Names of members that wait for its answer. */
export function askersOf({ owed }: Obligations): readonly string[] {
  return [...owed.values()].flatMap(({ kind, from }) =>
    kind === 'question' && from !== personSender ? [memberName(from)] : [],
  )
}

/** Whether a mail lets its recipient off: whoever asked for something does not want it any more. */
export function isRecall({ owed }: Obligations, mail: Envelope): boolean {
  return mail.kind === 'control' && mail.request !== undefined && owed.get(mail.request)?.from === mail.from
}

/** Takes one fact of the member's own journal in. */
export const applyObligations = foldOver<Obligations, 'mail' | 'loop'>({
  'agent.started'(state) {
    state.due = false
  },
  'turn.continued': ignore,
  'agent.parked': ignore,
  'agent.ended': ignore,
  'mail.sent': (state, { envelope }) => noteSent(state, envelope),
  'mail.received'(state, entry) {
    turn(state, entry)
    noteReceived(state, entry.envelope)
  },
  'mail.died': ignore,
  'mail.handled': ignore,
  'member.replied'(state, entry) {
    const next = turn(state, entry)
    state.owed.delete(entry.request)
    state.due = next !== null || (state.due && state.tasks.atHand !== null)
  },
})

function turn(state: Obligations, entry: Entry): QueuedTask | null {
  const { atHand } = state.tasks
  const next = nextTask(state.tasks, entry)
  // A question that was asked for the sake of one task is of no use to the next one.
  if (atHand !== null && !isAtHand(state.tasks, atHand)) state.asked.clear()
  return next
}

function noteSent(state: Obligations, { kind, id, priority, to }: Envelope): void {
  if (kind === 'question') state.asked.add(id)
  if (kind === 'control' && priority === 'interrupt') forgetQuestions(state, to)
}

function noteReceived(state: Obligations, mail: Envelope): void {
  const { kind, reply_to, from, status } = mail
  if (kind === 'result' && status !== 'done') forgetQuestions(state, from)
  if (kind === 'answer' && reply_to !== undefined) state.asked.delete(reply_to)
  if (kind === 'task' || kind === 'question') state.owed.set(debtOf(mail), mail)
  else if (isRecall(state, mail)) state.owed.delete(debtOf(mail))
}

function isAtHand({ atHand }: TaskQueue, task: QueuedTask): boolean {
  return atHand !== null && debtOf(atHand.envelope) === debtOf(task.envelope)
}

/** The work for which somebody asked has ended without the answer. */
function forgetQuestions({ owed }: Obligations, asker: string): void {
  for (const [debt, { kind, from }] of owed) if (kind === 'question' && from === asker) owed.delete(debt)
}
