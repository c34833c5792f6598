import { errorText } from '../../src/protocol/words/error-text.ts'
import type { RunInput, RunOutput } from '../../src/protocol/port.ts'
import type { CallDescription, CallOutcome } from '../../src/protocol/tools/tool.ts'
import {
  afterAttempt,
  answeredOutcome,
  finishedFact,
  fresh,
  permittedFact,
  refused,
  startedFact,
} from './call-steps.ts'
import type { GateRefusal, StartFact, ToolCallContext } from './call-steps.ts'
import type { port } from '../actors/port.ts'

/*
 * The life of a call that nothing can hold back: it runs and is settled. Most calls are of this kind, and the states that
 * they would only pass cost half as much as the rest of their turn.
 * Owns: the one result that answers the call. Never: knows other calls, or fails.
 * 1. It ends as the same call would end in `toolCallMachine`, with the same facts; that it began is stated by whoever begins it.
 * 2. An interrupt does not stop it: a tool that may be stopped for mail has the machine.
 */

type Run = ReturnType<typeof port<RunOutput, RunInput>>
type PlainCall = ReturnType<typeof port<CallOutcome, RunInput>>

/** Whether a call is run as it is: it was allowed as it was described, and has no hook, limit, check or second attempt. */
export function isPlainCall({ allowed, refusal, ...call }: CallDescription, hooked: boolean): boolean {
  const heldBack = hooked || refusal !== null || call.checked || call.gated === true || call.deferred !== undefined
  return allowed !== undefined && !heldBack && call.interrupt === 'block' && call.repeats !== true
}

/** What is stated of a plain call before it runs. */
export function plainStart(call: CallDescription): readonly StartFact[] {
  return [...permittedFact(call), startedFact(call)]
}

/** @param run does the call's work */
export function plainCall(run: Run): PlainCall {
  // Until it has ended both know the same: what the call is.
  const work = run as unknown as PlainCall
  return {
    ...work,
    transition(before, event, scope) {
      const { status, input } = before
      if (status !== 'active' || input === undefined) return before
      const isAborted = event.type === 'abort'
      const after = work.transition(before, isAborted ? { type: 'xstate.stop' } : event, scope)
      if (after.status === 'active' || (after.status === 'stopped' && !isAborted)) return after
      const { outcome, ...end } = isAborted ? cut(input, { text: String(event['reason']) }) : ended(input, after)
      scope.emit(finishedFact({ ...end, outcome }))
      return { status: 'done', output: outcome, error: undefined, input: undefined }
    },
  }
}

function ended(input: RunInput, { output, error, status }: ReturnType<PlainCall['transition']>): ToolCallContext {
  if (status === 'error') return cut(input, { text: `The tool failed: ${errorText(error)}`, broke: true })
  const context = afterAttempt(fresh({ ...input, hooked: false }), output as unknown as RunOutput)
  return { ...context, outcome: answeredOutcome(context) }
}

function cut(input: RunInput, refusal: GateRefusal): ToolCallContext {
  return { ...fresh({ ...input, hooked: false }), outcome: refused(input.call, refusal) }
}
