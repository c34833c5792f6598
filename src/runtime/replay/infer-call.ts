import { endingOf, textOf, type ToolResult } from '../../protocol/conversation/message.ts'
import type { EntryOf } from '../../projections/fold/fold.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { Answer } from '../../protocol/permissions/permission.ts'
import type { GateOutput, RunOutput } from '../../protocol/port.ts'
import { interruptedText } from '../../../machines/agent/agent-steps.ts'
import { stoppedByMessage } from './described-calls.ts'
import type { PortQuestion, QuestionOf } from './port-questions.ts'
import { calledOff, type Move, type ReplayedMember } from './replayed-member.ts'

/*
 * The answers of a call's ports, as the facts of the call and its result show them.
 */

type OfCall = Extract<PortQuestion, { input: { call: unknown } }>
type CallStory = ReturnType<ReplayedMember['tape']['ofCall']>

const cancelled = 'Cancelled: a parallel call failed'

/** The answer of a port of one call, or of the check of the work. */
export function callMove(member: ReplayedMember, question: OfCall): Move | null {
  const { id } = question.input.call
  const story = member.tape.ofCall(id)
  const [next] = story
  if (question.name === 'check') return checkMove(member, question)
  if (next === undefined) return null
  const result = member.tape.results()?.find(({ call_id }) => call_id === id)
  if (next.type === 'call.finished' && question.name !== 'deniedHooks') {
    const cut = cutMove(member, next, result)
    if (cut !== null) return cut
  }
  if (next.type === 'verify.settled' && next.reason === interruptedText) return calledOff(member)
  switch (question.name) {
    case 'run':
      return runMove(member, question, next)
    case 'gate':
      return gateMove(member, question, story)
    case 'validate':
      return validateMove(question, next, result)
    case 'preHooks':
      return preHooksMove(member, question, next)
    case 'postHooks':
      return () => question.answer({ note: null, ...(endsRun(member) ? { stop: true } : {}) })
    case 'deniedHooks':
      return () => question.answer({ note: noteOf(result) })
    default:
      return permissionMove(member, question, next)
  }
}

/** The call was given up, or a message that does not wait came before it or while it ran. */
function cutMove(
  member: ReplayedMember,
  { skipped, is_error, duration_ms }: EntryOf<'call.finished'>,
  result: ToolResult | undefined,
): Move | null {
  if (skipped) return () => member.ring('interrupt')
  const text = result === undefined ? null : textOf(result)
  if (text === null) return null
  if (stoppedByMessage.test(text)) return () => member.ring('interrupt')
  if (text === interruptedText || text === member.farewell) return calledOff(member, text)
  // A life that was cut off before its last words.
  const end = member.tape.afterResults()
  const isGivenUp = is_error && duration_ms === 0 && end?.type === 'agent.ended' && end.reason === 'aborted_tools'
  return isGivenUp && member.farewell === null ? calledOff(member, text) : null
}

function runMove(member: ReplayedMember, question: QuestionOf<'run'>, next: CallStory[number]): Move | null {
  const { id } = question.input.call
  if (next.type === 'call.retried') {
    const output = { content: [{ type: 'text' as const, text: next.reason }], isError: true }
    return () => question.answer({ output, duration_ms: 0, again_ms: next.delay_ms })
  }
  if (next.type !== 'call.finished') return null
  const results = member.tape.results()
  const result = results?.find(({ call_id }) => call_id === id)
  const text = result === undefined ? '' : textOf(result)
  if (text.startsWith(failedTool)) return () => question.reject(text.slice(failedTool.length))
  const broke = results?.some((other) => other.call_id !== id && textOf(other) === cancelled) === true
  const output = { ...outputOf(next, result), ...(broke && next.is_error ? { broke } : {}) }
  return () => question.answer({ output, duration_ms: next.duration_ms })
}

const failedTool = 'The tool failed: '

function outputOf(finished: FactOf<'call.finished'>, result: ToolResult | undefined): RunOutput['output'] {
  const { is_error, exit } = result === undefined ? finished : endingOf(result)
  const { stored, file } = finished
  return {
    content: result?.content ?? [],
    isError: is_error,
    ...(exit === undefined ? {} : { exit }),
    ...(stored === undefined ? {} : { stored }),
    ...(file === undefined ? {} : { file }),
  }
}

function gateMove(member: ReplayedMember, question: QuestionOf<'gate'>, story: CallStory): Move {
  const result = member.tape.results()?.find(({ call_id }) => call_id === question.input.call.id)
  const facts = [...story]
  const limit = facts[0]?.type === 'call.limited' ? facts.shift() : undefined
  const limited: Pick<GateOutput, 'limited'> =
    limit?.type === 'call.limited' ? { limited: { limit: limit.limit, then: limit.then } } : {}
  const [next] = facts
  const text = result === undefined ? '' : textOf(result)
  if (next?.type === 'call.reused') {
    const finished = facts.find((fact) => fact.type === 'call.finished')
    const output = finished?.type === 'call.finished' ? outputOf(finished, result) : { content: [] }
    return () => question.answer({ ...limited, verdict: 'answer', output, of: next.of })
  }
  if (next?.type === 'call.refused' && next.why === 'deferred') {
    return () => question.answer({ ...limited, verdict: 'block', message: next.reason, why: 'deferred' })
  }
  if (next?.type !== 'call.finished') return () => question.answer({ ...limited, verdict: 'run' })
  const lost = 'Blocked: its limits could not be looked at: '
  if (text.startsWith(lost)) return () => question.reject(text.slice(lost.length))
  // No gate says so: the member left, in a life that was cut off before its last words.
  if (result !== undefined && !text.startsWith('Blocked: ')) return calledOff(member, text)
  return () => question.answer({ ...limited, verdict: 'block', message: text.replace(/^Blocked: /, '') })
}

function validateMove(
  question: QuestionOf<'validate'>,
  next: CallStory[number],
  result: ToolResult | undefined,
): Move | null {
  const isComplaint = next.type === 'call.refused' && next.why === 'meaning'
  if (isComplaint) return () => question.answer({ complaint: next.reason })
  if (next.type !== 'call.finished') return () => question.answer({ complaint: null })
  const failed = 'ValidationError: the check itself failed: '
  const text = result === undefined ? '' : textOf(result)
  return text.startsWith(failed) ? () => question.reject(text.slice(failed.length)) : null
}

function preHooksMove(member: ReplayedMember, question: QuestionOf<'preHooks'>, next: CallStory[number]): Move {
  if (next.type === 'call.refused' && (next.why === 'hook' || next.why === 'middleware')) {
    const stop = endsRun(member) ? { stop: true } : {}
    const by = next.by === undefined ? {} : { by: next.by }
    return () => question.answer({ verdict: 'block', message: next.reason, ...by, ...stop })
  }
  if (next.type !== 'call.finished') return () => question.answer({ verdict: 'none' })
  const result = member.tape.results()?.find(({ call_id }) => call_id === next.call_id)
  const text = result === undefined ? '' : textOf(result)
  const failed = 'Blocked: a hook before this call failed: '
  if (text.startsWith(failed)) return () => question.reject(text.slice(failed.length))
  return () => question.answer({ verdict: 'answer', output: outputOf(next, result) })
}

/** The words of hooks to a denial stand behind it. */
function noteOf(result: ToolResult | undefined): string | null {
  const note = result?.content[1]
  return note?.type === 'text' ? note.text : null
}

type OfPermission = Exclude<
  OfCall,
  QuestionOf<'run' | 'gate' | 'validate' | 'preHooks' | 'postHooks' | 'deniedHooks' | 'check'>
>

function permissionMove(member: ReplayedMember, question: OfPermission, next: CallStory[number]): Move | null {
  const decided = next.type === 'permission.decided' ? next : null
  switch (question.name) {
    case 'judge': {
      const decision = next.type === 'permission.requested' ? next.decision : (decided?.asked ?? decided?.decision)
      if (decision !== undefined) return () => question.answer(decision)
      return next.type === 'verify.settled' ? () => question.reject(next.reason ?? '') : null
    }
    case 'plan':
      return () => question.answer({ order: 'sequence', hooked: false, classifies: false })
    case 'register': {
      const { request, deadline } = next.type === 'permission.requested' ? next : noRequest
      return () => question.answer({ request, deadline, wait_ms: null })
    }
    case 'wait':
      return decided === null ? null : answerMove(member, question, decided)
    case 'judgeAgain':
      return () => question.answer({ behavior: 'allow', source: 'user', reason: 'as recorded' })
    case 'remember':
      return () => question.answer()
    case 'consultHooks':
    case 'classify':
      return () => question.answer(null)
    default:
      return () => question.answer(question.input.answer)
  }
}

const noRequest = { request: null, deadline: null } as const
const nobody = 'Nobody could be asked: '

function answerMove(
  member: ReplayedMember,
  question: QuestionOf<'wait'>,
  { decision, request, by, updated_input }: FactOf<'permission.decided'>,
): Move {
  const { behavior, source, rule, reason } = decision
  if (source === 'nobody' && reason.startsWith(nobody)) return () => question.reject(reason.slice(nobody.length))
  const answer: Answer = {
    behavior: behavior === 'allow' ? 'allow' : 'deny',
    source,
    reason,
    ...(rule === undefined ? {} : { rule }),
    ...(request === undefined ? {} : { request }),
    ...(by === undefined ? {} : { by }),
    ...(updated_input === undefined ? {} : { updated_input }),
    ...(endsRun(member) ? { scope: 'stop' as const } : {}),
  }
  return () => question.answer(answer)
}

/** The agent ended with these calls, and nobody had called its work off: an answer to one of them said so. */
function endsRun({ tape, farewell }: ReplayedMember): boolean {
  const end = tape.afterResults()
  if (end?.type !== 'agent.ended' || end.reason !== 'aborted_tools') return false
  const texts = tape.results()?.map(textOf) ?? []
  return !texts.includes(interruptedText) && (farewell === null || !texts.includes(farewell))
}

/** The outcome of the command that checks the work; what it printed stands in the words to the agent. */
function checkMove(member: ReplayedMember, question: QuestionOf<'check'>): Move | null {
  const next = member.tape.next()
  if (next?.type !== 'verify.settled') return null
  const { verdict, duration_ms, reason } = next
  if (reason === interruptedText) return calledOff(member)
  if (verdict === 'not_run') return () => question.reject(reason ?? '')
  const told = member.tape.messagesAfter('turn.continued').map(textOf)
  const refutation = told.find((text) => text.startsWith('The check `')) ?? ''
  const lines = refutation.split('\n').flatMap((line) => (line.startsWith('| ') ? [line.slice(2)] : []))
  const end = member.tape.next(1)
  const unpassed = end?.type === 'agent.ended' && end.failure?.code === 'unverified' ? end.failure.message : ''
  const report = unpassed === '' ? lines.join('\n') : unpassed.replace(/^.*? did not pass at .*?: /s, '')
  return () => question.answer({ passed: verdict === 'passed', report, duration_ms })
}
