import { callsOf, textOf, type AssistantMessage } from '../../protocol/conversation/message.ts'
import { unreadText } from '../../../machines/agent/agent-calls.ts'
import { strongerMark } from '../../rules/conversation/escalation.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { describedCalls } from './described-calls.ts'
import type { QuestionOf } from './port-questions.ts'
import { calledOff, type Move, type ReplayedMember } from './replayed-member.ts'

/*
 * The answers of an agent's ports, and what the agent is told meanwhile, as the facts that follow show them.
 */

type OfAgent = QuestionOf<'intake' | 'ask' | 'compact' | 'stopHooks' | 'stopFailure'>

/** The answer of a port of the agent, or what it hears before that. */
export function agentMove(member: ReplayedMember, question: OfAgent): Move | null {
  const next = member.tape.next()
  const crashed = crashOf(next, question.name)
  if (crashed !== null) return () => question.reject(crashed)
  const early = earlyEnd(member, next)
  if (early !== null) return early
  switch (question.name) {
    case 'intake':
      return intakeMove(member, question)
    case 'ask':
      return askMove(member, question)
    case 'compact':
      return compactMove(next, question)
    case 'stopHooks':
      return stopHooksMove(member, question)
    default:
      return warningOf(next, 'stop_failure_failed', question) ?? (() => question.answer())
  }
}

/** The next thing that a parked agent hears. */
export function parkedMove(member: ReplayedMember): Move | null {
  const next = member.tape.next()
  if (next?.type === 'turn.continued' && next.reason === 'mail') return member.wake
  return earlyEnd(member, next)
}

/** The reason with which this port failed the agent. */
function crashOf(next: Entry | undefined, port: string): string | null {
  if (next?.type !== 'agent.ended' || next.failure?.code !== 'crashed') return null
  const { message } = next.failure
  return message.startsWith(`${port}: `) ? message.slice(port.length + 2) : null
}

/** The work is called off, or a word of a person comes that nobody answers in it. */
function earlyEnd(member: ReplayedMember, next: Entry | undefined): Move | null {
  const isAbort = next?.type === 'agent.ended' && next.reason.startsWith('aborted_')
  if (isAbort) return calledOff(member)
  if (next?.type !== 'message.appended' || next.message.role !== 'user') return null
  return followUp(member, 'message.appended', next.message)
}

/** The next of these words that the agent has not been told yet. */
function followUp(
  member: ReplayedMember,
  ...[after, first]: [Entry['type'], AssistantMessage?] | [Entry['type'], Parameters<ReplayedMember['prompt']>[0]?]
): Move | null {
  const known = member.agent()?.state.followUps.length ?? 0
  const words = [...(first?.role === 'user' ? [first] : []), ...member.tape.messagesAfter(after)]
  const message = words.filter(({ origin }) => origin === 'person')[known]
  return message === undefined ? null : () => member.prompt(message)
}

function intakeMove(member: ReplayedMember, question: QuestionOf<'intake'>): Move | null {
  const { tape } = member
  const next = tape.next()
  const agent = member.agent()
  const place = JSON.stringify(agent?.place)
  if (place === '{"acting":"between"}') return betweenMove(member, question)
  const none = { received: 0, hold: false, answerable: false }
  if (next?.type === 'agent.parked') return () => question.answer({ ...none, hold: true, answerable: true })
  if (next?.type === 'model.requested') return () => question.answer({ ...none, answerable: true })
  if (next?.type === 'model.escalated') return () => question.answer({ ...none, answerable: true, hard: true })
  if (next?.type === 'agent.ended') {
    // The answer that is owed would have been another turn.
    const isOwed = next.reason === 'no_answer' || (next.reason === 'max_turns' && agent?.state.reminded === false)
    const isNews = next.reason === 'max_turns' && !isOwed
    return () => question.answer({ ...none, ...(isOwed ? { owes: true } : {}), received: isNews ? 1 : 0 })
  }
  if (next?.type !== 'turn.continued') return null
  switch (next.reason) {
    case 'steered':
      return followUp(member, 'turn.continued') ?? (() => question.answer(none))
    case 'no_answer':
      return () => question.answer({ ...none, owes: true })
    case 'mail':
      if (place.includes('parked')) return () => question.answer({ ...none, received: 1, answerable: true })
      // The same turn once more: a message came that does not wait.
      if (next.turn === agent?.state.turn && agent.state.rung === null) return () => member.ring('interrupt')
      return () => question.answer(next.turn === agent?.state.turn ? none : { ...none, received: 1 })
    default:
      return null
  }
}

/** Between two batches of calls: the next one begins, or a message skips the rest, or the work is called off. */
function betweenMove(member: ReplayedMember, question: QuestionOf<'intake'>): Move {
  const { tape } = member
  const next = tape.next()
  const continued = tape.find('turn.continued')
  const received = continued?.reason === 'mail' ? 1 : 0
  const answer = { received, hold: false, answerable: true }
  if (next?.type !== 'call.finished') return () => question.answer(answer)
  if (next.skipped) return () => question.answer({ ...answer, urgent: true })
  const result = tape.results()?.find(({ call_id }) => call_id === next.call_id)
  const text = result === undefined ? '' : textOf(result)
  if (text === unreadText) return () => question.reject(crashOf(tape.find('agent.ended'), 'intake') ?? unreadText)
  const isCheckFailed = text.startsWith('ValidationError: ') || text.startsWith('Blocked: ')
  return text === '' || isCheckFailed ? () => question.answer(answer) : calledOff(member, text)
}

function askMove(member: ReplayedMember, question: QuestionOf<'ask'>): Move | null {
  const { tape } = member
  const [next, after] = [tape.next(), tape.next(1)]
  if (next?.type === 'message.appended' && next.message.role === 'assistant') {
    const { message } = next
    // A kill may have come between the two lines.
    const { cost_usd, duration_ms } = after?.type === 'model.settled' ? after : { cost_usd: null, duration_ms: 0 }
    const calls = describedCalls(callsOf(message), tape, member.card.hooked)
    return () => question.answer({ kind: 'settled', message, calls, cost_usd, duration_ms })
  }
  if (next?.type === 'model.settled') {
    const { model, stop, usage, request_id, failure, cost_usd, duration_ms } = next
    const text = after?.type === 'model.escalated' ? `${strongerMark} ${after.reason ?? ''}` : ''
    const message: AssistantMessage = {
      role: 'assistant',
      model,
      content: text === '' ? [] : [{ type: 'text', text }],
      stop,
      usage,
      ...(request_id === undefined ? {} : { request_id }),
      ...(failure === undefined ? {} : { failure }),
    }
    return () => question.answer({ kind: 'settled', message, calls: [], cost_usd, duration_ms })
  }
  if (next?.type === 'message.tombstoned') return fallbackMove(member, question)
  if (next?.type !== 'turn.continued') return null
  switch (next.reason) {
    case 'auto_compact':
      return () => question.answer({ kind: 'crowded' })
    case 'model_fallback':
      return fallbackMove(member, question)
    case 'wind_down': {
      const [notice] = tape.messagesAfter('turn.continued')
      const end = tape.find('agent.ended')
      const ends = end?.reason === 'budget_exhausted' && end.failure === undefined
      return () => question.answer({ kind: 'winding_down', notice: notice ? textOf(notice) : '', ends })
    }
    default:
      return () => member.ring('interrupt')
  }
}

function fallbackMove({ tape }: ReplayedMember, question: QuestionOf<'ask'>): Move {
  const tombstones: string[] = []
  for (let n = 0, entry = tape.next(n); entry?.type === 'message.tombstoned'; entry = tape.next(n)) {
    tombstones.push(entry.target)
    n += 1
  }
  const model = tape.find('model.requested')?.model ?? tape.find('model.fell_back')?.to ?? question.input.model
  return () => question.answer({ kind: 'fallback', model, tombstones })
}

function compactMove(next: Entry | undefined, question: QuestionOf<'compact'>): Move {
  const failed = warningOf(next, 'compaction_failed', question)
  if (failed !== null) return failed
  return () => question.answer({ compacted: next?.type === 'turn.continued' })
}

function stopHooksMove(member: ReplayedMember, question: QuestionOf<'stopHooks'>): Move {
  const { tape } = member
  const next = tape.next()
  const failed = warningOf(next, 'stop_hooks_failed', question)
  if (failed !== null) return failed
  if (next?.type === 'turn.continued' && next.reason === 'stop_hook_blocking') {
    const said = tape.messagesAfter('turn.continued').filter(({ origin }) => origin === 'hook')
    return () => question.answer({ verdict: 'block', messages: said.map(textOf) })
  }
  if (next?.type === 'agent.ended' && next.reason === 'stop_hook_prevented') {
    return () => question.answer({ verdict: 'prevent' })
  }
  const failure = next?.type === 'agent.ended' && next.reason === 'failed' ? next.failure : undefined
  const isHooks = failure !== undefined && failure.code !== 'unverified' && failure.code !== 'crashed'
  return () => question.answer(isHooks ? { verdict: 'prevent', failure } : { verdict: 'none' })
}

function warningOf(next: Entry | undefined, code: string, { reject }: { reject(reason: string): void }): Move | null {
  return next?.type === 'warning.raised' && next.code === code ? () => reject(next.message) : null
}
