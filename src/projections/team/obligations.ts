import { callsOf } from '../../protocol/conversation/message.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { foldOver, ignore } from '../fold/fold.ts'
import { memberName, personSender } from '../../protocol/words/ids.ts'
import {
  debtOf,
  emptyTasks,
  isPart,
  isRecallOf,
  isTask,
  nextTask,
  type QueuedTask,
  type TaskQueue,
} from '../../rules/conversation/task-queue.ts'
import { endTextsAfter, endTextsWithout, reportText, type EndText } from '../fold/end-texts.ts'
import { orderlyReasons } from '../../protocol/conversation/agent-event.ts'

/** Open answers of a member, in both directions, oldest first. */
export interface Obligations {
  /** Tasks and questions that it received and has not answered. */
  readonly owed: Map<string, Envelope>
  /** Words that it needs: answers to its questions, by their mail, and the word of a member that it waits for. */
  readonly asked: Map<string, Awaited>
  /** The requests of the parts of its work that it handed on, by the keys of their mail. */
  readonly parts: Map<string, string>
  /** Which task it works on, and which wait for their turn. */
  readonly tasks: TaskQueue
  /** The turn of a task has come, and no work began since. */
  due: boolean
  /** The texts with which the member ended its turns since the task at hand came; without one, since its work began. */
  said: readonly EndText[]
  /** The wish that it stops, while it has not answered that. */
  stop: Envelope | null
  /** Texts of other members that came in the present turn: they ask for no answer, and what is done now is done on them too. */
  readonly heard: Envelope[]
  /** The latest work came to an orderly end with a text, and nothing that would change that text came since. */
  hasAnswered: boolean
  /** The task that was answered last, with the work that goes on about it. */
  readonly past: PastTask
}

/** A question goes on until it is answered; a wait ends with any word of the member. */
export interface Awaited {
  readonly of: string
  readonly kind: 'question' | 'wait' | 'part'
}

/** Work after the answer to a task: later texts amend that answer. */
interface PastTask {
  task: Envelope | null
  /** The entry with which the latest work began: the amendments of one work are one. */
  work: string
  /** The latest act of this work was a mail of its own to whoever gave the task: the text after it is no new answer. */
  isBeside: boolean
  /** Texts that amend the answer, and that something came after before they were sent. */
  left: readonly EndText[]
}

export function emptyObligations(): Obligations {
  return {
    owed: new Map(),
    asked: new Map(),
    parts: new Map(),
    tasks: emptyTasks(),
    due: false,
    said: [],
    stop: null,
    heard: [],
    hasAnswered: false,
    past: { task: null, work: '', isBeside: false, left: [] },
  }
}

/** Answers that the member owes for the work at hand: a task that waits for its turn is not yet due. */
export function owedNow({ owed, tasks }: Obligations): readonly Envelope[] {
  const atHand = tasks.atHand?.envelope.id
  return [...owed.values()].filter((envelope) => !isTask(envelope) || envelope.id === atHand)
}

/** Mail of other members that the present turn serves: tasks and questions that it owes an answer, texts that it heard. */
export function servedNow(debts: Obligations): readonly Envelope[] {
  return [...owedNow(debts).filter(({ from }) => from !== personSender), ...debts.heard]
}

/** Names of members that wait for its answer. */
export function askersOf({ owed }: Obligations): readonly string[] {
  return [...owed.values()].flatMap(({ kind, from }) =>
    kind === 'question' && from !== personSender ? [memberName(from)] : [],
  )
}

/** Whether parts of its work are out: it rests until they are back, unless somebody wants it to stop. */
export function awaitsParts({ asked, stop }: Obligations): boolean {
  return stop === null && [...asked.values()].some(({ kind }) => kind === 'part')
}

/** Whether a mail lets its recipient off: whoever asked for something does not want it any more. */
export function isRecall({ owed }: Obligations, mail: Envelope): boolean {
  const asked = owed.get(mail.request ?? '')
  return mail.kind === 'control' && asked !== undefined && isRecallOf(mail, asked)
}

/** The task whose answer texts amend; null when there is nothing to add. */
export function amended(debts: Obligations): Envelope | null {
  return amendmentOf(debts).length === 0 ? null : debts.past.task
}

/** The texts that amend that answer: those that other work came after, and those of work for which nothing is owed. */
export function amendmentOf({ owed, said, past }: Obligations): readonly EndText[] {
  if (past.task === null) return []
  return owed.size > 0 ? past.left : [...past.left, ...said]
}

/**
 * Whether those texts only go with a mail that the member wrote to whoever gave the task: that one is told of them, and the
 * answer stays as it was.
 */
export function isBesideMail({ past: { isBeside, left } }: Obligations): boolean {
  return isBeside && left.length === 0
}

/** The key under which the amendment of the latest work is sent, once. */
export function amendmentKey({ past: { work } }: Obligations): string {
  return `amend:${work}`
}

/** Takes one fact of the member's own journal in. */
export const applyObligations = foldOver<Obligations, 'mail' | 'loop' | 'conversation' | 'answering'>({
  'agent.started'(state, { id }) {
    state.due = false
    state.stop = null
    // The words of a life that was killed are still to be told.
    if (owedNow(state).length === 0) Object.assign(state.past, { left: amendmentOf(state) })
    Object.assign(state.past, { work: id, isBeside: false })
    if (owedNow(state).length === 0) state.said = []
  },
  'turn.continued': ignore,
  'agent.parked'({ heard }) {
    heard.length = 0
  },
  'agent.ended'(state, { reason }) {
    state.heard.length = 0
    state.hasAnswered ||= state.said.length > 0 && orderlyReasons.includes(reason)
  },
  'message.appended'(state, { id, message }) {
    state.said = endTextsAfter(state.said, id, message)
    if (message.role === 'assistant' && callsOf(message).length > 0) state.past.isBeside = false
    if (message.role === 'user' && message.origin === 'person') state.hasAnswered = false
  },
  'message.tombstoned'(state, { target }) {
    state.said = endTextsWithout(state.said, target)
  },
  'mail.sent'(state, { envelope }) {
    noteSent(state, envelope)
    if (envelope.amends || envelope.key === amendmentKey(state)) keepTexts(state, [])
    else if (envelope.kind === 'text' && envelope.to === state.past.task?.from) {
      keepTexts(state, amendmentOf(state))
      state.past.isBeside = true
    }
  },
  'mail.received'(state, entry) {
    leaveAmendment(state, entry.envelope)
    state.past.isBeside = false
    turn(state, entry)
    noteReceived(state, entry.envelope)
  },
  'mail.died': ignore,
  'mail.handled': ignore,
  'member.waits'({ asked }, { wait, for: of }) {
    asked.set(wait, { of, kind: 'wait' })
  },
  'member.reported'(state, { id, text }) {
    state.said = [...state.said, reportText(id, text)]
    state.asked.clear()
  },
  'member.replied'(state, entry) {
    const { atHand } = state.tasks
    const next = turn(state, entry)
    if (atHand === null) state.said = []
    else if (debtOf(atHand.envelope) === entry.request) Object.assign(state.past, { task: atHand.envelope, left: [] })
    state.owed.delete(entry.request)
    state.due = next !== null || (state.due && state.tasks.atHand !== null)
  },
})

/** Words that were said before somebody asks for something else are no part of the answer to that. */
function leaveAmendment(state: Obligations, { kind }: Envelope): void {
  if ((kind === 'task' || kind === 'question') && amended(state) !== null) keepTexts(state, amendmentOf(state))
}

/** Texts that are still to amend the answer; what was said since belongs to them, or is out. */
function keepTexts(state: Obligations, left: readonly EndText[]): void {
  state.past.left = left
  if (state.owed.size === 0) state.said = []
}

function turn(state: Obligations, entry: Entry): QueuedTask | null {
  const { atHand } = state.tasks
  const next = nextTask(state.tasks, entry)
  const isSame = atHand === null ? state.tasks.atHand === null : isAtHand(state.tasks, atHand)
  if (isSame) return next
  state.said = []
  // A question that was asked for the sake of one task is of no use to the next one.
  if (atHand !== null) state.asked.clear()
  return next
}

function noteSent(state: Obligations, envelope: Envelope): void {
  const { kind, priority, to, key, request = '' } = envelope
  if (kind === 'question') state.asked.set(envelope.id, awaitedOf(envelope))
  if (isPart(envelope)) state.parts.set(key, request)
  if (kind === 'shutdown') state.stop = null
  if (kind === 'control' && priority === 'interrupt') forgetQuestions(state, to)
}

function noteReceived(state: Obligations, mail: Envelope): void {
  const { kind, from, status } = mail
  if (kind === 'result' && status !== 'done') forgetQuestions(state, from)
  if (kind === 'result') state.hasAnswered = false
  if (kind === 'shutdown' && mail.reply_to === undefined) state.stop = mail
  if (kind === 'text' && from !== personSender) state.heard.push(mail)
  endWaits(state.asked, mail)
  if (kind === 'task' || kind === 'question') state.owed.set(debtOf(mail), mail)
  else if (isRecall(state, mail)) state.owed.delete(debtOf(mail))
}

/** The answer that the sender of a question needs. */
export function awaitedOf(question: Envelope): Awaited {
  return { of: memberName(question.to), kind: isPart(question) ? 'part' : 'question' }
}

/** Ends what a mail brings to an end: the question that it answers, the waits for its sender, or what it calls off. */
export function endWaits(asked: Map<string, Awaited>, { kind, reply_to = '', from }: Envelope): void {
  if (kind === 'answer' || kind === 'control') asked.delete(reply_to)
  if (from === personSender || kind === 'control' || kind === 'shutdown') return
  for (const [wait, awaited] of asked)
    if (awaited.kind === 'wait' && awaited.of === memberName(from)) asked.delete(wait)
}

function isAtHand({ atHand }: TaskQueue, task: QueuedTask): boolean {
  return atHand !== null && debtOf(atHand.envelope) === debtOf(task.envelope)
}

/** The work for which somebody asked has ended without the answer. */
function forgetQuestions({ owed }: Obligations, asker: string): void {
  for (const [debt, { kind, from }] of owed) if (kind === 'question' && from === asker) owed.delete(debt)
}
