import type { Entry } from '../../protocol/facts/entry.ts'
import type { UserMessage } from '../../protocol/conversation/message.ts'
import type { QuestionOf } from './port-questions.ts'
import type { Move, ReplayedMember } from './replayed-member.ts'

/*
 * The answers of a member's own ports, and what it is told while it rests, as the facts that follow show them.
 */

type Life = QuestionOf<'open' | 'unread' | 'reply' | 'close'>

/** The answer of a port of the member's life. */
export function lifeMove(member: ReplayedMember, question: Life): Move | null {
  switch (question.name) {
    case 'open':
      return openMove(member, question)
    case 'unread':
      return unreadMove(member, question)
    case 'reply':
      return replyMove(member, question)
    default:
      return closeMove(member, question)
  }
}

function openMove(member: ReplayedMember, question: QuestionOf<'open'>): Move {
  const { tape } = member
  const after = tape.next(1)
  if (after?.type === 'member.drained' && !member.isLeaving()) return () => member.shutdown(true)
  if (after?.type !== 'member.woke') return () => question.answer({ unread: 0 })
  const prompt = promptOf(tape.find('agent.started'), member)
  if (prompt !== null && member.prompts().length === 0) return () => member.prompt(prompt)
  return () => question.answer({ unread: 1, ...escalatedBefore(member) })
}

/** The model of the work that an earlier life had handed to a stronger one. */
function escalatedBefore({ tape, card }: ReplayedMember): { readonly escalated?: string } {
  const asked = tape.find('model.requested')
  const risen = tape.find('model.escalated')
  const isHandedOn = asked !== undefined && asked.model === card.escalate?.model
  return isHandedOn && (risen === undefined || risen.seq > asked.seq) ? { escalated: asked.model } : {}
}

function unreadMove(member: ReplayedMember, question: QuestionOf<'unread'>): Move | null {
  const { tape } = member
  const next = tape.next()
  if (next?.type === 'member.woke') {
    const prompt = promptOf(tape.find('agent.started'), member)
    if (prompt !== null && member.prompts().length === 0) return () => member.prompt(prompt)
    return () => question.answer({ unread: 1 })
  }
  if (next?.type === 'member.idled') {
    const { reason: waits = 'nothing_to_do', waiting_for } = next
    return () => question.answer({ unread: 0, waits, ...(waiting_for === undefined ? {} : { waiting_for }) })
  }
  return isLeaving(next) && !member.isLeaving() ? () => member.shutdown(true) : null
}

function replyMove(member: ReplayedMember, question: QuestionOf<'reply'>): Move {
  const { tape } = member
  const replied: { request: string; mail_id: string }[] = []
  let next = tape.next()
  for (let n = 1; next?.type === 'member.replied'; n += 1) {
    replied.push({ request: next.request, mail_id: next.mail_id })
    next = tape.next(n)
  }
  if (isLeaving(next) && !member.isLeaving()) return () => member.shutdown(true)
  return () => question.answer({ replied })
}

function closeMove(member: ReplayedMember, question: QuestionOf<'close'>): Move | null {
  const next = member.tape.next()
  if (next?.type === 'warning.raised') return () => member.prompt(tooLate)
  return next?.type === 'member.drained' ? () => question.answer() : null
}

const tooLate: UserMessage = { role: 'user', origin: 'person', content: [] }

/** The next thing that a resting member is told. */
export function restMove(member: ReplayedMember): Move | null {
  const { tape } = member
  const next = tape.next()
  if (next?.type === 'member.woke') {
    const prompt = promptOf(tape.find('agent.started'), member)
    return prompt === null ? () => member.ring('normal') : () => member.prompt(prompt)
  }
  if (next?.type === 'member.idled') return () => member.ring('normal')
  if (next?.type === 'member.replied') return () => member.shutdown(false)
  return isLeaving(next) ? () => member.shutdown(true) : null
}

function isLeaving(entry: Entry | undefined): boolean {
  return (
    entry?.type === 'member.drained' ||
    entry?.type === 'member.gone' ||
    (entry?.type === 'warning.raised' && entry.code === 'prompt_refused')
  )
}

/** The words of a person with which a piece of work began; mail has none. */
function promptOf(started: Entry | undefined, { tape }: ReplayedMember): UserMessage | null {
  const [first] = started === undefined ? [] : tape.messagesAfter('agent.started')
  return first?.origin === 'person' ? first : null
}
