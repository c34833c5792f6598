import type { Mailbox } from '../../adapters/mailbox/mailbox.ts'
import { orderlyReasons } from '../../protocol/conversation/agent-event.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { textOf } from '../../protocol/conversation/message.ts'
import type { AgentOutput, ReplyOutput } from '../../protocol/port.ts'
import type { Envelope, OutcomeStatus } from '../../protocol/mail/envelope.ts'
import {
  amended,
  amendmentKey,
  amendmentOf,
  isBesideMail,
  owedNow,
  type Obligations,
} from '../../projections/team/obligations.ts'
import type { Conversation } from '../../rules/conversation/context-window.ts'
import { lastWord } from '../../rules/conversation/escalation.ts'
import { markedText } from '../../projections/fold/end-texts.ts'
import { isFrameOf } from '../../rules/conversation/mail-frame.ts'
import { debtOf, isTask } from '../../rules/conversation/task-queue.ts'
import { isRepairOf, repairText } from '../../rules/team/task-text.ts'

/** How a piece of work ended, the last words of its member, and the conversation that led there. */
export interface Ending {
  readonly outcome: AgentOutput
  /** The last text, be it beside calls. */
  readonly lastText: string
  readonly conversation: Pick<Conversation, 'messages'>
  /** The member begins nothing more. */
  readonly leaving?: boolean
}

/** The two acts of replying. */
export interface ReplyActs {
  /** Returns the mail's id. */
  send(draft: MailDraft): string
  /** Has the member write its answer once more. */
  repair(text: string): void
}

/** Sends what has to go out: `sending(mailbox)(draft)` is the mail's id. @throws Error when it is refused */
export function sending(mailbox: Pick<Mailbox, 'send'>): (draft: MailDraft) => string {
  return (draft) => {
    const sent = mailbox.send(draft)
    if (!sent.ok) throw new Error(sent.error)
    return sent.envelope.id
  }
}

/**
 * Answers what the work at hand was for with all texts that ended turns of it: a member that owes a reply never goes idle
 * without giving it, whether its work succeeded or not. A task that waits for its turn is answered after it, or cancelled
 * by a member that leaves. What it is asked to do waits while it waits for an answer itself. An answer that does not keep
 * its contract is asked for once more, and fails the second time. Texts about a task that was answered before amend the
 * answer.
 */
export async function reply(debts: Obligations, ending: Ending, { send, repair }: ReplyActs): Promise<ReplyOutput> {
  const replied: { request: string; mail_id: string }[] = []
  amend(debts, send)
  // Words after a wish that it stops are its last.
  const waits = debts.asked.size > 0 && debts.stop === null && statusOf(ending.outcome) === 'done'
  for (const owed of owedNow(debts)) {
    if (waits && isTask(owed) && !ending.leaving) continue
    const answer = waits && isTask(owed) ? unanswered(debts, ending) : await answerTo(owed, ending, debts)
    if ('repair' in answer) repair(answer.repair)
    else replied.push({ request: debtOf(owed), mail_id: send(draftOf(owed, answer)) })
  }
  for (const { envelope } of ending.leaving ? debts.tasks.waiting : []) {
    replied.push({ request: debtOf(envelope), mail_id: send(draftOf(envelope, unbegun)) })
  }
  return { replied }
}

function amend(debts: Obligations, send: ReplyActs['send']): void {
  const task = amended(debts)
  if (task === null) return
  const [body, key] = [markedText(amendmentOf(debts)), amendmentKey(debts)]
  if (isBesideMail(debts)) send({ to: task.from, kind: 'text', key, reply_to: task.id, body })
  else send({ ...draftOf(task, { status: 'done', body }), key, amends: true })
}

const unbegun: Answer = { status: 'cancelled', body: 'Did not begin (it left before the turn of this task came).' }

function unanswered(debts: Said, { lastText }: Ending): Answer {
  return { status: 'cancelled', body: unfinished('it left while it waited for an answer', allWords(debts, lastText)) }
}

type Said = Pick<Obligations, 'said'>

interface Answer {
  readonly status: OutcomeStatus
  readonly body: string
}

async function answerTo(owed: Envelope, ending: Ending, { said }: Said): Promise<Answer | { readonly repair: string }> {
  const { outcome, lastText } = ending
  const status = statusOf(outcome)
  if (status !== 'done') return { status, body: unfinished(whyOf(outcome), allWords({ said }, lastText)) }
  if (owed.returns === undefined) return { status, body: markedText(said) || lastText || '(finished without a text)' }
  const { checkContract } = await import('../../adapters/contracts/check-contract.ts')
  const { returns } = owed
  const texts = said.map(({ words }) => lastWord(words.text)).toReversed()
  const found = texts.map((text) => checkContract(returns, text)).find((kept) => 'json' in kept)
  const kept = found ?? checkContract(returns, lastText)
  if ('json' in kept) return { status, body: kept.json }
  const request = debtOf(owed)
  if (!wasRepaired(ending.conversation, owed)) return { repair: repairText(request, kept.problems) }
  return { status: 'failed', body: unfinished(`broken_contract: ${kept.problems.join('; ')}`, lastText) }
}

/** Since the task came. */
function wasRepaired({ messages }: Ending['conversation'], owed: Envelope): boolean {
  const told = messages.flatMap((message) => (message.role === 'user' ? [textOf(message)] : []))
  const since = told.findLastIndex((text) => isFrameOf(text, owed.id))
  return told.slice(since + 1).some((text) => isRepairOf(text, debtOf(owed)))
}

function draftOf(owed: Envelope, { status, body }: Answer): MailDraft {
  return {
    to: owed.from,
    kind: owed.kind === 'question' ? 'answer' : 'result',
    key: `reply:${owed.id}`,
    reply_to: owed.id,
    ...(owed.request === undefined ? {} : { request: owed.request }),
    status,
    body,
  }
}

function statusOf({ reason }: AgentOutput): OutcomeStatus {
  if (orderlyReasons.includes(reason)) return 'done'
  return reason === 'aborted_streaming' || reason === 'aborted_tools' ? 'cancelled' : 'failed'
}

function whyOf({ reason, failure }: AgentOutput): string {
  return failure ? `${reason}: ${failure.message}` : reason
}

/** The texts that ended turns of the work, and the last words where those came beside calls. */
function allWords({ said }: Said, lastText: string): string {
  const texts = markedText(said)
  return texts === '' || texts.endsWith(lastText) ? texts || lastText : `${texts}\n\n${lastText}`
}

function unfinished(why: string, lastText: string): string {
  return lastText === '' ? `Did not finish (${why}).` : `Did not finish (${why}). Last words:\n${lastText}`
}
