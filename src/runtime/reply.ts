import type { MailDraft } from '../protocol/envelope.ts'
import type { AgentId } from '../protocol/ids.ts'
import type { AgentOutput, ReplyOutput } from '../protocol/port.ts'
import type { Envelope } from '../protocol/envelope.ts'
import { debtOf, type Obligations } from '../projections/obligations.ts'

/** How a piece of work ended and what its member said last. */
export interface Ending {
  readonly outcome: AgentOutput
  readonly lastText: string
}

/**
 * Answers every debt with the member's last output: a member that owes a reply never goes idle without
 * giving it, whether its work succeeded or not. `send` returns the mail's id.
 */
export function reply(debts: Obligations, ending: Ending, send: (draft: MailDraft) => string): ReplyOutput {
  const replied = [...debts.owed.values()].map((owed) => ({
    request: debtOf(owed),
    mail_id: send(draftOf(owed, ending)),
  }))
  return { replied }
}

function draftOf(owed: Envelope, { outcome, lastText }: Ending): MailDraft {
  return {
    to: owed.from as AgentId,
    kind: owed.kind === 'question' ? 'answer' : 'result',
    key: `reply:${owed.id}`,
    reply_to: owed.id,
    ...(owed.request === undefined ? {} : { request: owed.request }),
    status: statusOf(outcome),
    body: bodyOf(outcome, lastText),
  }
}

function statusOf({ reason }: AgentOutput): 'done' | 'failed' | 'cancelled' {
  if (reason === 'completed' || reason === 'verified') return 'done'
  return reason === 'aborted_streaming' || reason === 'aborted_tools' ? 'cancelled' : 'failed'
}

function bodyOf(outcome: AgentOutput, lastText: string): string {
  if (statusOf(outcome) === 'done') return lastText === '' ? '(finished without a text)' : lastText
  const why = outcome.failure ? `${outcome.reason}: ${outcome.failure.message}` : outcome.reason
  return lastText === '' ? `Did not finish (${why}).` : `Did not finish (${why}). Last words:\n${lastText}`
}
