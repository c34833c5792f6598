import type { Mailbox } from '../../adapters/mailbox/mailbox.ts'
import { debtOf } from '../../rules/conversation/task-queue.ts'
import type { MailDraft } from '../../protocol/mail/envelope.ts'
import type { MemberStore } from './member-store.ts'

/**
 * Sends what a member writes. To somebody whose question it has not answered yet, its next message is the answer: the
 * oldest question is settled by it, and whoever waits for it goes on.
 */
export function sendOrAnswer(
  { debts, mailbox, ledger }: Pick<MemberStore, 'debts' | 'mailbox' | 'ledger'>,
  draft: MailDraft,
): ReturnType<Mailbox['send']> {
  const question =
    draft.kind === 'text'
      ? [...debts.owed.values()].find(({ kind, from }) => kind === 'question' && from === draft.to)
      : undefined
  if (!question) return mailbox.send(draft)
  const sent = mailbox.send({ ...draft, kind: 'answer', reply_to: question.id })
  if (sent.ok) ledger.record([{ type: 'member.replied', request: debtOf(question), mail_id: sent.envelope.id }])
  return sent
}
