import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { applyWaits, emptyWaits, waitingFor, type TeamWaits } from './waits.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { debtOf, isTask } from '../../rules/conversation/task-queue.ts'

/** A task or question that waits for its answer: who owes whom what, since when. */
export interface Debt {
  /** The member that owes. */
  readonly debtor: string
  /** The member that waits for the answer: `name@team`, or `user`. */
  readonly creditor: Envelope['from']
  readonly kind: 'task' | 'question'
  /** The request, or the mail itself when it belongs to none. */
  readonly what: string
  readonly body: string
  /** When it was sent, in milliseconds since the epoch. */
  readonly since: number
  /** True once the message is in the debtor's conversation; before that the message lies in the debtor's box. */
  readonly received: boolean
  /** The members that the debtor waits for itself. */
  readonly waiting_for?: readonly string[]
}

/** By debtor, oldest first. */
export interface Debts {
  readonly of: Map<string, Map<string, Debt>>
  readonly waits: TeamWaits
}

export function emptyDebts(): Debts {
  return { of: new Map(), waits: emptyWaits('') }
}

/** All open debts of a run: `openDebts(debts)[0]` waits longest. */
export function openDebts({ of, waits }: Debts): readonly Debt[] {
  const debts = [...of.values()].flatMap((each) => [...each.values()]).toSorted((a, b) => a.since - b.since)
  return debts.map((debt) => {
    const waiting_for = debt.received ? waitingFor(waits, debt.debtor) : []
    return waiting_for.length === 0 ? debt : { ...debt, waiting_for }
  })
}

/** Follows all journals of a run: a debt begins with the mail, and ends with the reply or with the request. */
export function applyDebts(state: Debts, recorded: Recorded): void {
  applyWaits(state.waits, recorded)
  step(state, recorded)
}

const step = foldOver<Debts, 'mail' | 'request'>({
  'mail.sent'(state, { envelope }) {
    const { kind, priority, to } = envelope
    if (kind === 'control' && priority === 'interrupt') forgetQuestions(state, memberName(to))
    // A part that is called off is owed no longer.
    if (kind === 'control' && envelope.reply_to !== undefined) state.of.get(memberName(to))?.delete(debtOf(envelope))
    begin(state, envelope, false)
  },
  'mail.received': (state, { envelope }) => begin(state, envelope, true),
  'mail.handled': ignore,
  'mail.died': ({ of }, { mail_id }, owner) => {
    if (mail_id !== undefined && of.get(owner)?.get(mail_id)?.received === false) of.get(owner)?.delete(mail_id)
  },
  'member.replied'(state, { request }, owner) {
    const debts = state.of.get(owner)
    if (debts?.get(request)?.kind === 'task') forgetQuestions(state, owner)
    debts?.delete(request)
  },
  'request.held': ignore,
  'request.opened': ({ of }, { request, worker }) => {
    // Another has it now: whoever had it before owes it no longer.
    for (const [debtor, debts] of of) if (debtor !== worker) debts.delete(request)
  },
  'request.settled': ({ of }, { worker, request, status }) => {
    // An answer to a cancelled or overdue request is no longer waited for.
    if (status !== 'done') of.get(worker)?.delete(request)
  },
})

/** Forgets questions that a member asked for the sake of work that is over. */
function forgetQuestions({ of }: Debts, asker: string): void {
  for (const debts of of.values()) {
    for (const { kind, creditor, what } of debts.values())
      if (kind === 'question' && creditor.startsWith(`${asker}@`)) debts.delete(what)
  }
}

function begin({ of }: Debts, envelope: Envelope, received: boolean): void {
  const { kind, from, to, body, sent_at } = envelope
  if (kind !== 'task' && kind !== 'question') return
  const debtor = memberName(to)
  const debts = getOrMake(of, debtor, () => new Map<string, Debt>())
  const what = debtOf(envelope)
  const owed = isTask(envelope) ? 'task' : kind
  debts.set(what, { debtor, creditor: from, kind: owed, what, body, since: sent_at, received })
}
