import type { MailDraft } from '../../protocol/mail/envelope.ts'
import { debtOf, isPart } from '../../rules/conversation/task-queue.ts'
import type { TeamActions } from '../reach/team-port.ts'
import type { MemberStore } from './member-store.ts'

/** Mail of one conversation is no repeat of another's, whatever ids the model gives its calls. */
export function ownKey({ renewals }: Pick<MemberStore, 'renewals'>, key: string): string {
  return renewals === 0 ? key : `${key}:${renewals}`
}

/**
 * Sends what a member writes. To whoever asked it to stop, its next message says why it goes on. To somebody whose question it has not answered yet, its next message is the answer: the
 * oldest question is settled by it, and whoever waits for it goes on.
 */
export function sendOrAnswer(
  store: Pick<MemberStore, 'debts' | 'mailbox' | 'ledger' | 'renewals'>,
  written: MailDraft,
): ReturnType<TeamActions['send']> {
  const { debts, mailbox, ledger } = store
  const draft = { ...written, key: ownKey(store, written.key) }
  const question =
    draft.kind === 'text'
      ? [...debts.owed.values()].find((owed) => owed.kind === 'question' && !isPart(owed) && owed.from === draft.to)
      : undefined
  const { stop } = debts
  const isRefusal = stop !== null && draft.kind === 'text' && draft.to === stop.from
  const kind = isRefusal ? { kind: 'shutdown' as const, reply_to: stop.id } : {}
  const sent = mailbox.send(question ? { ...draft, kind: 'answer', reply_to: question.id } : { ...draft, ...kind })
  if (!sent.ok) return { error: sent.error }
  const { id, request } = sent.envelope
  if (question) ledger.record([{ type: 'member.replied', request: debtOf(question), mail_id: id }])
  return {
    id,
    ...(request === undefined ? {} : { request }),
    ...(sent.note === undefined ? {} : { note: sent.note }),
  }
}
