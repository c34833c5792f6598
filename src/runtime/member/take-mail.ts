import type { Envelope } from '../../protocol/mail/envelope.ts'
import { textOf, userMessage } from '../../protocol/conversation/message.ts'
import { hasHeard, isSpoken } from '../../rules/conversation/context-window.ts'
import { isMoreMailText, mailRoom, moreMailText, mostIn } from '../../rules/conversation/mail-room.ts'
import { debtOf, isTask } from '../../rules/conversation/task-queue.ts'
import { owedNow, type Obligations } from '../../projections/team/obligations.ts'
import type { Received } from '../agent/agent-deps.ts'
import type { MemberStore } from './member-store.ts'
import { isAnswering, type LeadTurn } from './member-deps.ts'

/** The member that takes its mail in. */
export interface MailIntake {
  readonly store: Pick<MemberStore, 'mailbox' | 'debts' | 'ledger' | 'conversation'>
  readonly leadTurn: LeadTurn
  /** Ends the work at hand, which nobody wants any more. */
  abort(): void
}

/**
 * Takes what lies in the inbox into the conversation, and with it what is to be told of the member's own requests. What
 * was called off is worked on no longer: when nothing else is owed the work at hand ends, else the model is told.
 * A model that has as much mail before it as it can read takes no more until it has answered.
 * @param answered the member has written its answer, and mail of others than those who wait for it comes when it is out
 * @returns how many messages the model has to answer now, and whether one of them does not wait
 */
export function takeMail({ store, leadTurn, abort }: MailIntake, answered: boolean): Received {
  const { mailbox, debts, ledger, conversation } = store
  const owed = new Map(debts.owed)
  const begun = debts.tasks.atHand?.envelope
  const asked = new Set(debts.asked.keys())
  const { hasAnswered } = debts
  const mail = readable(store, answered ? writersInTime(debts, leadTurn) : undefined)
  const left = mailRoom(conversation) > 0 ? 0 : mailbox.unread()
  for (const each of mail) if (isTask(each)) owed.set(debtOf(each), each)
  const isKnown = (task: Envelope): boolean => task.id === begun?.id || hasHeard(conversation, task)
  const off = mail.filter((each) => {
    const task = each.kind === 'control' && !debts.owed.has(debtOf(each)) ? owed.get(debtOf(each)) : undefined
    return task !== undefined && isKnown(task)
  })
  const news = leadTurn.brief() ?? (hasAnswered && isLate(mail, leadTurn) ? answerAgainText : [])
  const inVain = mail.filter(({ kind, reply_to = '' }) => kind === 'control' && asked.has(reply_to))
  const notes = [
    ...off.map(calledOffText),
    ...inVain.map(({ body }) => body),
    news,
    leftText(conversation, left),
  ].flat()
  ledger.record(notes.map((note) => ({ type: 'message.appended', message: userMessage(note, 'runtime') })))
  if (off.length > 0 && debts.owed.size === 0) abort()
  const heard = mail.filter((each) => isSpoken(each) && (!isTask(each) || hasHeard(conversation, each)))
  const urgent = [...heard, ...off].some(({ priority }) => priority === 'interrupt')
  return { received: heard.length + notes.length, urgent, isFull: left > 0 }
}

/**
 * Takes mail until none is left, or the model has as much before it as it can read.
 * @param writers of the mail that is taken; all when left out
 */
function readable({ mailbox, conversation }: MailIntake['store'], writers?: readonly string[]): readonly Envelope[] {
  const mail: Envelope[] = []
  for (let room = mailRoom(conversation); room > 0; room = mailRoom(conversation)) {
    const batch = mailbox.receive(mostIn(room), writers)
    if (batch.length === 0) break
    mail.push(...batch)
  }
  return mail
}

/** Tells of mail that is left for later, once. */
function leftText({ messages, held }: MailIntake['store']['conversation'], count: number): readonly string[] {
  const last = [...messages.slice(-1), ...held].at(-1)
  if (count === 0 || (last?.role === 'user' && isMoreMailText(textOf(last)))) return []
  return [moreMailText(count)]
}

/**
 * The writers whose mail comes before an answer is out: those who wait for the answer. All of them where no answer is owed,
 * or the text is none yet.
 */
function writersInTime(debts: Obligations, leadTurn: LeadTurn): readonly string[] | undefined {
  return isAnswering(debts, leadTurn) ? owedNow(debts).map(({ sender }) => sender) : undefined
}

const answerAgainText =
  'You had answered without this. Your answer counts no more: give the whole answer again, changed or not.'

/** Whether results came for which nobody waits any more. */
function isLate(mail: readonly Envelope[], { leads, awaits }: MailIntake['leadTurn']): boolean {
  return leads && !awaits() && mail.some(({ kind, status }) => kind === 'result' && status === 'done')
}

function calledOffText({ request = '', body }: Envelope): string {
  return `Nobody waits for ${request} any longer (${body}): do not work on it, and do not report on it.`
}
