import { describeCall } from '../../adapters/tools/describe-call.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import { lastWork } from '../../projections/member/last-work.ts'
import {
  endingOf,
  errorResult,
  skippedResult,
  userMessage,
  type ToolResult,
  type ToolUseBlock,
} from '../../protocol/conversation/message.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import { needsAnswer, unansweredCalls, type Conversation } from '../../rules/conversation/context-window.ts'
import { uncheckedText } from '../../rules/team/verification.ts'
import { mayRunAgain, unfinishedText } from '../../rules/tools/unfinished-call.ts'
import { elapsed } from '../actors/clock.ts'
import type { AgentStore } from './compose-agent.ts'
import { beginCall, type Beginning } from './begin-call.ts'

/** An agent whose earlier life ended without a word. */
export interface ReturningAgent extends Beginning {
  readonly store: Pick<AgentStore, 'conversation' | 'ledger'>
  /** The file of the agent's journal. */
  readonly journal: string
  /** The agent's work is checked before it counts as done. */
  readonly verifies: boolean
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
 * @returns the entries of the earlier life
 */
export async function settleCalls(life: ReturningAgent): Promise<readonly Entry[]> {
  const { conversation, ledger } = life.store
  const calls = unansweredCalls(conversation)
  const { entries } = readJournal(life.journal)
  if (calls.length > 0) {
    const results = await resultsOf(life, calls, sinceAsked(entries))
    ledger.record([{ type: 'message.appended', message: { role: 'tool', results } }])
  }
  ledger.record(uncheckedWork(entries).dropped)
  return entries
}

/** Tells the model to say its last words once more where those were never checked. */
export function noteUnchecked({ ledger }: Pick<AgentStore, 'ledger'>, left: LeftWork | null): void {
  if (left?.for !== 'check') return
  ledger.record([{ type: 'message.appended', message: userMessage(uncheckedText, 'runtime') }])
}

/** The work in whose middle a journal ends. */
export function leftWork(entries: readonly Entry[], conversation: Conversation, verifies: boolean): LeftWork | null {
  if (conversation.messages.length === 0) return null
  const { over, escalated } = lastWork(entries)
  const has = escalated === null ? {} : { escalated }
  const isOpen = needsAnswer(conversation) || unansweredCalls(conversation).length > 0
  if (isOpen && !over) return { for: 'answer', ...has }
  return verifies && uncheckedWork(entries).atEnd ? { for: 'check', ...has } : null
}

/** From the latest answer on: a model may give its calls ids that earlier ones had. */
function sinceAsked(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(
    entries.findLastIndex((entry) => entry.type === 'message.appended' && entry.message.role === 'assistant'),
  )
}

function callsIn(entries: readonly Entry[], type: 'call.started' | 'call.finished'): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === type ? [entry.call_id] : [])))
}

async function resultsOf(
  life: ReturningAgent,
  calls: readonly ToolUseBlock[],
  entries: readonly Entry[],
): Promise<ToolResult[]> {
  const describe = describeCall(life.deps.turnTools().tools)
  const [begun, finished] = [callsIn(entries, 'call.started'), callsIn(entries, 'call.finished')]
  const results: ToolResult[] = []
  const skips = isSpokenInto(life, entries)
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
    const permitted = { ...call, input: permittedInput(call, entries) }
    const made = begun.has(id) ? await again(life, describe(permitted)) : null
    isClear &&= made !== null
    const { result, ...more } = made ?? { result: errorResult(id, name, unfinishedText(begun.has(id))), duration_ms: 0 }
    if (!finished.has(id)) life.store.ledger.record([finishedFact(result, more)])
    results.push(result)
  }
  return results
}

/** Whether a message that does not wait came after the calls were asked for, to the earlier life or by now. */
function isSpokenInto({ deps }: ReturningAgent, entries: readonly Entry[]): boolean {
  const isHeard = entries.some(
    (entry) =>
      (entry.type === 'call.finished' && entry.skipped === true) ||
      (entry.type === 'mail.received' && entry.envelope.priority === 'interrupt'),
  )
  return deps.receive().urgent === true || isHeard
}

function finishedFact(result: ToolResult, more: Omit<Made, 'result'>): FactOf<'call.finished'> {
  const { call_id, tool } = result
  return { type: 'call.finished', call_id, tool, ...endingOf(result), ...more }
}

/** The input with which a call was permitted: the model's, unless whoever permitted it changed that. */
function permittedInput({ id, input }: ToolUseBlock, entries: readonly Entry[]): unknown {
  const decided = entries.findLast((entry) => entry.type === 'permission.decided' && entry.call_id === id)
  return decided?.type === 'permission.decided' ? (decided.updated_input ?? input) : input
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

/**
 * Finds the check that an earlier life left open.
 * @returns `atEnd`: the last words were said and the work was never declared over; `dropped`: the check that was under way,
 * as ended without a verdict
 */
export function uncheckedWork(entries: readonly Entry[]): {
  readonly atEnd: boolean
  readonly dropped: readonly FactOf<'verify.settled'>[]
} {
  let atEnd = false
  let open: { readonly call_id: string; readonly command: string } | null = null
  for (const entry of entries) {
    if (entry.type === 'message.appended') atEnd = isLastWord(entry.message)
    else if (entry.type === 'agent.ended') atEnd = false
    else if (entry.type === 'verify.started') open = entry
    else if (entry.type === 'verify.settled') open = null
  }
  if (open === null) return { atEnd, dropped: [] }
  const { call_id, command } = open
  const after = atEnd ? 'end' : 'change'
  const reason = 'the process that ran it ended'
  return {
    atEnd,
    dropped: [{ type: 'verify.settled', call_id, command, after, verdict: 'not_run', duration_ms: 0, reason }],
  }
}

function isLastWord(message: FactOf<'message.appended'>['message']): boolean {
  return message.role === 'assistant' && !message.content.some(({ type }) => type === 'tool_use')
}
