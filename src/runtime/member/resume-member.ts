import { describeCall } from '../../adapters/tools/describe-call.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import { readJournal } from '../../adapters/sessions/read-journal.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { errorResult, userMessage, type ToolResult, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import type { AgentOutput, ReplyOutput } from '../../protocol/port.ts'
import type { CallDescription } from '../../protocol/tools/tool.ts'
import { lastWork } from '../../projections/member/last-work.ts'
import { needsAnswer, unansweredCalls } from '../../rules/conversation/context-window.ts'
import { mayRunAgain, unfinishedText } from '../../rules/tools/unfinished-call.ts'
import { elapsed } from '../actors/clock.ts'
import type { MemberStore } from './member-store.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { uncheckedText, uncheckedWork } from './unchecked-work.ts'

/** What an earlier life left for this one to go on with. */
interface TakenUp {
  /** The journal ends in the middle of a piece of work. */
  readonly unanswered: boolean
  /** The model that has that work since it was handed to the stronger one. */
  readonly escalated?: string
}

/** A member whose earlier life ended without a word. */
export interface Returning {
  readonly store: Pick<MemberStore, 'conversation' | 'debts' | 'ledger'>
  readonly deps: AgentDeps
  /** Its work is checked before it counts as done. */
  readonly verifies: boolean
  /** Its journal. */
  readonly journal: string
  /** Aborted when it is to leave: a call that is made again ends then. */
  readonly leaving: AbortSignal
  /** Answers what the earlier life owed. */
  readonly answer: (outcome: AgentOutput) => Promise<ReplyOutput>
  /** Makes a call that had not begun, from its beginning. */
  readonly begin: (call: CallDescription) => Promise<ToolResult>
}

/**
 * Takes up what an earlier life of the member left. Calls without a result get one: those that had not begun are made,
 * others again where that changes nothing, else they are settled as interrupted, so that the model decides; then what
 * would have followed them is left to it too. Work that was finished and not answered is answered.
 * @returns whether the member has to go on with its work, and who has that
 */
export async function resumeMember(returning: Returning): Promise<TakenUp> {
  const { conversation, debts, ledger } = returning.store
  if (conversation.messages.length === 0) return { unanswered: false }
  const calls = unansweredCalls(conversation)
  if (calls.length > 0) {
    const results = await resultsOf(returning, calls, sinceAsked(readJournal(returning.journal).entries))
    ledger.record([{ type: 'message.appended', message: { role: 'tool', results } }])
  }
  const { entries } = readJournal(returning.journal)
  const { atEnd, dropped } = uncheckedWork(entries)
  ledger.record(dropped)
  const { over, escalated } = lastWork(entries)
  const goesOn = { unanswered: true, ...(escalated === null ? {} : { escalated }) }
  if (needsAnswer(conversation) && !over) return goesOn
  if (returning.verifies && atEnd) {
    ledger.record([{ type: 'message.appended', message: userMessage(uncheckedText, 'runtime') }])
    return goesOn
  }
  if (debts.owed.size > 0) {
    const { replied } = await returning.answer(outcomeOf(entries))
    ledger.record(replied.map(({ request, mail_id }) => ({ type: 'member.replied', request, mail_id })))
  }
  return { unanswered: debts.due }
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
  { deps, store, begin, leaving }: Returning,
  calls: readonly ToolUseBlock[],
  entries: readonly Entry[],
): Promise<ToolResult[]> {
  const describe = describeCall(deps.turnTools().tools)
  const [begun, finished] = [callsIn(entries, 'call.started'), callsIn(entries, 'call.finished')]
  const permitted = (call: ToolUseBlock): ToolUseBlock => ({ ...call, input: inputOf(call, entries) })
  const results: ToolResult[] = []
  let isClear = true
  for (const call of calls) {
    if (isClear && !begun.has(call.id)) {
      results.push(await begin(describe(call)))
      continue
    }
    const made = begun.has(call.id) ? await again({ deps, leaving }, describe(permitted(call))) : null
    isClear &&= made !== null
    const { result, fact } = made ?? unmade(call, begun.has(call.id))
    if (!finished.has(call.id)) store.ledger.record([fact])
    results.push(result)
  }
  return results
}

/** What a call was permitted with: the words of its model, unless whoever permitted it changed them. */
function inputOf({ id, input }: ToolUseBlock, entries: readonly Entry[]): unknown {
  const decided = entries.findLast((entry) => entry.type === 'permission.decided' && entry.call_id === id)
  return decided?.type === 'permission.decided' ? (decided.updated_input ?? input) : input
}

/** A call as it ended, for the model and for everyone else. */
interface Ended {
  readonly result: ToolResult
  readonly fact: FactOf<'call.finished'>
}

function unmade({ id, name }: ToolUseBlock, begun: boolean): Ended {
  return {
    result: errorResult(id, name, unfinishedText(begun)),
    fact: { type: 'call.finished', call_id: id, tool: name, is_error: true, duration_ms: 0 },
  }
}

/** Makes a call again that had begun; null when that could change something. */
async function again(
  { deps, leaving }: Pick<Returning, 'deps' | 'leaving'>,
  call: CallDescription,
): Promise<Ended | null> {
  const tool = deps.turnTools().tools.get(call.tool)
  const { id: call_id, readOnly, refusal, input } = call
  if (!tool || refusal !== null || !mayRunAgain({ readOnly, effect: tool.effect })) return null
  const started = deps.now()
  const output = await runCall(tool, input, deps.toolContext(call_id, leaving))
  const { content, isError: is_error = false, stored, file } = output
  const known = { ...(stored === undefined ? {} : { stored }), ...(file === undefined ? {} : { file }) }
  return {
    result: { call_id, tool: tool.name, content: [...content], is_error },
    fact: {
      type: 'call.finished',
      call_id,
      tool: tool.name,
      is_error,
      duration_ms: elapsed(started, deps.now()),
      ...known,
    },
  }
}

/** How the last piece of work ended: as the journal says, or as its last answer shows. */
function outcomeOf(entries: readonly Entry[]): AgentOutput {
  const last = entries.findLast(({ type }) => type === 'agent.ended' || type === 'agent.started')
  if (last?.type === 'agent.ended') {
    const { reason, turn, failure } = last
    return { reason, turn, compactedReactively: false, ...(failure ? { failure } : {}) }
  }
  const said = entries.findLast((entry) => entry.type === 'message.appended' && entry.message.role === 'assistant')
  const message = said?.type === 'message.appended' && said.message.role === 'assistant' ? said.message : null
  const failure = message?.failure
  return {
    reason: failure ? 'failed' : 'completed',
    turn: 0,
    compactedReactively: false,
    ...(failure ? { failure } : {}),
  }
}
