import { describeCall } from '../../adapters/tools/describe-call.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import { droppedCheck, isOver, type AskedCalls, type LastWork } from '../../projections/member/last-work.ts'
import {
  endingOf,
  errorResult,
  skippedResult,
  userMessage,
  type ToolResult,
  type ToolUseBlock,
  textOf,
} from '../../protocol/conversation/message.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import { needsAnswer, unansweredCalls, type Conversation } from '../../rules/conversation/context-window.ts'
import { uncheckedText } from '../../rules/team/verification.ts'
import { mayRunAgain, unfinishedText } from '../../rules/tools/unfinished-call.ts'
import { elapsed } from '../actors/clock.ts'
import type { AgentStore } from './agent-store.ts'
import { beginCall, type Beginning } from './begin-call.ts'

/** An agent whose earlier life ended without a word. */
export interface ReturningAgent extends Beginning {
  readonly store: Pick<AgentStore, 'conversation' | 'ledger' | 'work'>
  /** The agent's work is checked before it counts as done. */
  readonly verifies: boolean
  /** Calls that had begun are made again where that changes nothing. */
  readonly repeats: boolean
}

/** The work that an earlier life left to this one; null when none is left. */
export interface LeftWork {
  /** `answer`: the conversation waits for the model. `check`: its last words were never checked. */
  readonly for: 'answer' | 'check'
  /** The model that has the work since it was handed to the stronger one. */
  readonly escalated?: string
}

/**
 * Settles what an earlier life left open. Calls without a result get one: those that had not begun are made, others again
 * where that changes nothing, else they are settled as interrupted, so that the model decides; then what would have
 * followed them is left to it too. Those that a new message came before stay skipped.
 */
export async function settleCalls(life: ReturningAgent): Promise<void> {
  const { conversation, ledger, work } = life.store
  const calls = unansweredCalls(conversation)
  const dropped = droppedCheck(work)
  if (calls.length > 0) {
    const results = await resultsOf(life, calls, work.calls)
    ledger.record([{ type: 'message.appended', message: { role: 'tool', results } }])
  }
  ledger.record(dropped)
}

/** Tells the model to say its last words once more where those were never checked. */
export function noteUnchecked({ ledger }: Pick<AgentStore, 'ledger'>, left: LeftWork | null): void {
  if (left?.for !== 'check') return
  ledger.record([{ type: 'message.appended', message: userMessage(uncheckedText, 'runtime') }])
}

/** The work in whose middle a journal ends. */
export function leftWork(work: LastWork, conversation: Conversation, verifies: boolean): LeftWork | null {
  if (conversation.messages.length === 0) return null
  const { escalated, saidLast } = work
  const has = escalated === null ? {} : { escalated }
  const isOpen = needsAnswer(conversation) || unansweredCalls(conversation).length > 0
  if (isOpen && !isOver(work)) return { for: 'answer', ...has }
  return verifies && saidLast ? { for: 'check', ...has } : null
}

async function resultsOf(
  life: ReturningAgent,
  calls: readonly ToolUseBlock[],
  asked: AskedCalls,
): Promise<ToolResult[]> {
  const describe = describeCall(life.deps.turnTools().tools)
  const [begun, finished] = [new Set(asked.begun), new Set(asked.finished)]
  const results: ToolResult[] = []
  const skips = isSpokenInto(life, asked)
  let isClear = true
  for (const call of calls) {
    const { id, name } = call
    if (skips && !begun.has(id)) {
      const result = skippedResult(id, name)
      if (!finished.has(id)) life.store.ledger.record([finishedFact(result, { duration_ms: 0 })])
      results.push(result)
      continue
    }
    if (isClear && !begun.has(id)) {
      results.push(await beginCall(life, describe(call)))
      continue
    }
    const permitted = { ...call, input: asked.inputs.get(id) ?? call.input }
    const made = begun.has(id) && life.repeats ? await again(life, describe(permitted)) : null
    isClear &&= made !== null
    const { result, ...more } = made ?? { result: errorResult(id, name, unfinishedText(begun.has(id))), duration_ms: 0 }
    if (!finished.has(id)) life.store.ledger.record([finishedFact(result, more)])
    results.push(result)
  }
  return results
}

/** Whether a message that does not wait came after the calls were asked for, to the earlier life or by now. */
function isSpokenInto({ deps }: ReturningAgent, { spokenInto }: AskedCalls): boolean {
  return deps.receive().urgent === true || spokenInto
}

function finishedFact(result: ToolResult, more: Omit<Made, 'result'>): FactOf<'call.finished'> {
  const { call_id, tool } = result
  return { type: 'call.finished', call_id, tool, ...endingOf(result), ...more }
}

/** A call that was made again. */
interface Made extends Pick<FactOf<'call.finished'>, 'duration_ms' | 'stored' | 'file'> {
  readonly result: ToolResult
}

/** Makes a call again that had begun; null when that could change something. */
async function again({ deps, leaving }: ReturningAgent, call: CallDescription): Promise<Made | null> {
  const tool = deps.turnTools().tools.get(call.tool)
  const { id: call_id, readOnly, refusal, input } = call
  if (!tool || refusal !== null || !mayRunAgain({ readOnly, effect: tool.effect })) return null
  const started = deps.now()
  const { content, isError, exit, stored, file } = await runCall(tool, input, deps.toolContext(call_id, leaving))
  return {
    result: { call_id, tool: tool.name, content: [...content], is_error: isError === true, ...(exit && { exit }) },
    duration_ms: elapsed(started, deps.now()),
    ...(stored === undefined ? {} : { stored }),
    ...(file === undefined ? {} : { file }),
  }
}

/** The prompt of a run that is gone on with. */
export function lastPrompt({ conversation }: { readonly conversation: Conversation }): string | null {
  const said = conversation.messages.findLast((message) => message.role === 'user' && message.origin === 'person')
  return said?.role === 'user' ? textOf(said) : null
}
