import { forget } from '../../adapters/tools/memory/forget.ts'
import { recall } from '../../adapters/tools/memory/recall.ts'
import { remember } from '../../adapters/tools/memory/remember.ts'
import { describeCall } from '../../adapters/tools/describe-call.ts'
import { runCall } from '../../adapters/tools/define/run-call.ts'
import { toolSpec } from '../../adapters/tools/define/define-tool.ts'
import type { Extraction } from '../../projections/member/extraction.ts'
import {
  callsOf,
  errorResult,
  userMessage,
  type Message,
  type ToolResult,
  type ToolUseBlock,
} from '../../protocol/conversation/message.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { ExtractPlan } from '../../protocol/team/memory-card.ts'
import type { CallDescription, ToolContext } from '../../protocol/tools/tool.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import { logOf, type Conversation } from '../../rules/conversation/context-window.ts'
import type { Logged } from '../../rules/conversation/logged.ts'
import { isoDay } from '../../rules/memory/absolute-dates.ts'
import {
  extractionRequest,
  extractorOf,
  extractorPrompt,
  keptItself,
  turnsIn,
  unextracted,
} from '../../rules/memory/extraction.ts'
import type { Clock } from '../actors/clock.ts'
import type { Consult } from '../recovery/consult.ts'
import type { AgentMemory } from './agent-memory.ts'

/*
 * The background extractor of one agent (seed page 13): a model that looks at the latest work and keeps what will matter.
 * Owns: the cursor, as the fact `memory.extracted`. Never: runs a tool that is not of memory, holds a turn of the agent up, recovers.
 * 1. The cursor moves after success alone: work that was not looked at is looked at again. Where its entry is gone, everything is.
 * 2. Agent and extractor never both keep memories of the same work: what the agent kept itself ends an extraction.
 * 3. Each question of an extraction is asked once; rounds and time have a limit. After three failures the extractor rests
 *    until the next life. The end of the agent waits 20 seconds for an extraction at most.
 */

/** The things that an extractor acts on. */
export interface ExtractorDeps {
  readonly plan: ExtractPlan
  readonly member: string
  readonly conversation: Conversation
  /** The extractions of all lives. */
  readonly past: Extraction
  readonly memory: AgentMemory
  /** The model that extracts; undefined where none can be asked. */
  readonly model: () => Model | undefined
  readonly consult: Consult
  readonly note: (fact: Fact) => void
  readonly clock: Pick<Clock, 'now' | 'setTimeout' | 'clearTimeout'>
  readonly context: (callId: string, signal: AbortSignal) => ToolContext
}

/** The decision of the agent's rules on a call. */
export type JudgeCall = (call: CallDescription) => Decision

/** The extractor of an agent's memories. */
export interface Extractor {
  /** Begins in the background where enough was done since the last time. */
  look(judge: JudgeCall): void
  /** The same at the end, waiting for what is going on. */
  finish(judge: JudgeCall): Promise<void>
  /** Gives up what is going on. */
  stop(): void
}

/** Questions of one extraction, their time in milliseconds, and the length of an answer in tokens. */
const [mostRounds, longest, mostTokens] = [5, 120_000, 4_000] as const
const mostFailures = 3
const ended = 'the agent ended'
/** Milliseconds that the end of an agent waits for its extractor. */
const patience = 20_000

const tools = new Map([recall, remember, forget].map((tool) => [tool.name, tool] as const))
const specs = [...tools.values()].map(toolSpec)

/** Opens the extractor of one life of an agent. */
export function openExtractor(deps: ExtractorDeps): Extractor {
  let going: Promise<void> | null = null
  let [failures, over] = [0, false]
  let stop = new AbortController()
  const expire = (why: string): void => stop.abort(new Error(why))
  const attempt = async (news: readonly Logged[], judge: JudgeCall): Promise<void> => {
    stop = new AbortController()
    const timer = deps.clock.setTimeout(() => expire('it took too long'), longest)
    const why = await outcome(deps, { news, judge, signal: stop.signal })
    deps.clock.clearTimeout(timer)
    failures = why === null ? 0 : failures + 1
    going = null
    // An agent that is no more states nothing. The warning comes last: a journal may refuse it.
    if (why !== null && !over) warn(deps, why)
  }
  const look = (judge: JudgeCall): void => {
    const news = unextracted(logOf(deps.conversation), deps.past.cursor)
    if (going !== null || over || turnsIn(news) < deps.plan.every || failures >= mostFailures) return
    if (keptItself(news)) moved(deps, news, [])
    else if (!isSpent(deps)) going = attempt(news, judge).catch(unheard)
    else {
      failures = mostFailures
      warn(deps, 'its budget is used up')
    }
  }
  return {
    look,
    async finish(judge) {
      look(judge)
      if (going === null) return
      const timer = deps.clock.setTimeout(() => expire(ended), patience)
      await going
      deps.clock.clearTimeout(timer)
    },
    stop() {
      over = true
      expire(ended)
    },
  }
}

/** A journal that takes no warning takes no fact of the agent either, and ends the agent there. */
const unheard = (): undefined => undefined

/** @returns null, or why nothing came of it */
async function outcome(deps: ExtractorDeps, extracting: Extracting): Promise<string | null> {
  try {
    moved(deps, extracting.news, await extract(deps, extracting))
    return null
  } catch (error) {
    return errorText(error)
  }
}

function moved({ note }: ExtractorDeps, news: readonly Logged[], written: readonly string[]): void {
  const upto = news.at(-1)?.id
  if (upto !== undefined) note({ type: 'memory.extracted', upto, turns: turnsIn(news), written: [...written] })
}

function warn({ note, member }: ExtractorDeps, why: string): void {
  note({ type: 'warning.raised', code: 'memory', message: `nothing was taken into the memory of ${member}: ${why}` })
}

function isSpent({ plan: { usd, tokens }, past: { spent } }: ExtractorDeps): boolean {
  return (usd !== undefined && spent.usd >= usd) || (tokens !== undefined && spent.tokens >= tokens)
}

interface Extracting {
  readonly news: readonly Logged[]
  readonly judge: JudgeCall
  readonly signal: AbortSignal
}

/** @returns lines of what was kept and taken away */
async function extract(deps: ExtractorDeps, extracting: Extracting): Promise<readonly string[]> {
  const { news, signal } = extracting
  const { member, memory, past, clock, conversation } = deps
  const model = deps.model()
  if (model === undefined) throw new Error('its model cannot be asked')
  const said = news.map(({ message }) => message)
  const messages: Message[] = [userMessage(extractionRequest(memory.section(), said, isoDay(clock.now())), 'runtime')]
  const left = past.answers === 0 ? {} : { left_out: past.answers }
  const asked = { agent: extractorOf(member), system: extractorPrompt, tools: specs, max_tokens: mostTokens, ...left }
  const written: string[] = []
  for (let round = 1; round <= mostRounds && !isSpent(deps); round += 1) {
    const request = { ...asked, messages: [...messages] }
    const message = await deps.consult({ model, request, purpose: 'memory', signal })
    signal.throwIfAborted()
    if (message.failure !== undefined) throw new Error(message.failure.message)
    const calls = callsOf(message)
    // The model is done, or the agent has kept something itself meanwhile.
    if (calls.length === 0 || keptItself(unextracted(logOf(conversation), past.cursor))) break
    const results = await Promise.all(calls.map((call) => ran(deps, call, extracting)))
    written.push(...results.flatMap(changeIn))
    messages.push(message, { role: 'tool', results })
  }
  return written
}

function changeIn({ tool, is_error, content: [said] }: ToolResult): readonly string[] {
  return tool !== 'Recall' && !is_error && said?.type === 'text' ? [said.text] : []
}

/** Runs a call of the extractor, where the agent's rules allow it without a question. */
async function ran(deps: ExtractorDeps, call: ToolUseBlock, { judge, signal, news }: Extracting): Promise<ToolResult> {
  const entry = news.at(-1)?.id
  const described = describeCall(tools)(call)
  const tool = tools.get(described.tool)
  const refusal =
    described.refusal ?? (judge(described).behavior === 'allow' ? null : 'The rules do not allow this call.')
  if (refusal !== null || tool === undefined)
    return errorResult(call.id, described.tool, refusal ?? 'There is no such tool.')
  const memories = deps.memory.port(call.id, entry)
  const output = await runCall(tool, described.input, { ...deps.context(call.id, signal), memories })
  return { call_id: call.id, tool: tool.name, content: [...output.content], is_error: output.isError ?? false }
}
