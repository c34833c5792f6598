import { failure, type Failure, type FailureCode } from '../../protocol/failure.ts'
import type { StopReason } from '../../protocol/message.ts'
import { callList, type CallList, type CallPiece } from './chat-calls.ts'
import { chatVendor, type ChatSeal } from './chat-request.ts'
import { openAiUsage } from './counts.ts'
import { emptyDraft, say, textIn, type Answer, type Delta, type Draft, type Part } from './draft.ts'
import { errorFailure, isError } from './failure-of.ts'
import { mergedDetails } from './reasoning-details.ts'

interface Spoken {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly reasoning_details?: readonly Record<string, unknown>[] | null
  readonly tool_calls?: readonly CallPiece[] | null
  /** The older spelling of a call; there is only one then. */
  readonly function_call?: CallPiece['function']
}

type Counts = Readonly<Record<string, unknown>>

interface Choice {
  readonly index?: unknown
  readonly delta?: Spoken | null
  readonly message?: Spoken | null
  readonly finish_reason?: unknown
  readonly usage?: Counts | null
}

interface Chunk {
  readonly choices?: readonly Choice[] | null
  readonly usage?: Counts | null
}

const stops: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  tool_calls: 'tools',
  function_call: 'tools',
  length: 'max_tokens',
  model_length: 'max_tokens',
  content_filter: 'refusal',
}

/** Reasons to stop that are failures: OpenRouter's, vLLM's and DeepSeek's. */
const faults: Readonly<Record<string, readonly [FailureCode, string]>> = {
  error: ['server_error', 'the provider ended its answer with an error'],
  abort: ['stream_broken', 'the server gave its answer up'],
  insufficient_system_resource: ['overloaded', 'the server ran out of resources'],
}

interface State extends Draft {
  readonly text: Part
  readonly thinking: Extract<Part, { kind: 'thinking' }>
  readonly calls: CallList
  details: readonly Record<string, unknown>[]
  usage: Counts | undefined
  finish: string
  refusal: string
  /** Something of an answer has come, be it empty. */
  begun: boolean
}

/** Gathers a stream of chat completions, as OpenAI and its many imitators send it. */
export function chatAnswer(): Answer {
  const state = begin()
  return {
    draft: state,
    eventsOf: wholeEvents,
    take(event) {
      if (event !== '[DONE]') return takeChunk(state, event as Chunk)
      state.over = true
      if (state.begun) complete(state)
      return undefined
    },
    stop: (called) => stops[state.finish] ?? (called ? 'tools' : 'end'),
    refusal: () => refusalOf(state),
    usage: () => usageOf(state.usage),
  }
}

/** An answer that came in one piece, as one chunk. */
function wholeEvents(answer: object): readonly unknown[] {
  const { choices, usage } = answer as { readonly choices?: readonly Choice[]; readonly usage?: unknown }
  const [choice] = Array.isArray(choices) ? (choices as readonly Choice[]) : []
  if (!choice?.message) return []
  return [{ choices: [{ finish_reason: 'stop', ...choice }], usage }, '[DONE]']
}

function begin(): State {
  const draft = emptyDraft()
  const thinking = { kind: 'thinking' as const, text: '' }
  const text: Part = { kind: 'text', text: '' }
  draft.parts.set(-2, thinking).set(-1, text)
  const rest = { details: [], usage: undefined, finish: '', refusal: '', begun: false }
  return { ...draft, text, thinking, calls: callList(draft), ...rest }
}

function takeChunk(state: State, chunk: Chunk): Delta | undefined {
  const [choice] = chunk.choices ?? []
  const finish = textIn(choice?.finish_reason)
  state.fault = faultIn(chunk, finish)
  if (state.fault) return undefined
  state.usage = chunk.usage ?? choice?.usage ?? state.usage
  // Nobody asked for a second choice.
  if (choice === undefined || (choice.index ?? 0) !== 0) return undefined
  state.begun = true
  // What stands in `message` beside deltas repeats them.
  const spoken = choice.delta ?? choice.message
  const delta = spoken ? hear(state, spoken) : undefined
  if (finish !== '') {
    state.finish = finish
    complete(state)
  }
  return delta
}

function faultIn(chunk: object, finish: string): Failure | undefined {
  if (isError(chunk)) return errorFailure(chunk)
  const fault = faults[finish]
  return fault && failure(...fault)
}

function hear(state: State, spoken: Spoken): Delta | undefined {
  const { content, tool_calls, function_call, reasoning_details } = spoken
  if (tool_calls) state.calls.take(tool_calls)
  else if (function_call) state.calls.take([{ function: function_call }])
  if (reasoning_details) state.details = mergedDetails(state.details, reasoning_details)
  state.refusal += textIn(spoken.refusal)
  const thought = think(state, spoken)
  if (Array.isArray(content)) return hearParts(state, content)
  return say(state.text, textIn(content)) ?? thought
}

function think({ thinking }: State, spoken: Spoken): Delta | undefined {
  const field = textIn(spoken.reasoning_content) === '' ? 'reasoning' : 'reasoning_content'
  const thought = say(thinking, textIn(spoken[field]))
  if (thought) thinking.opaque = { vendor: chatVendor, field } satisfies ChatSeal
  return thought
}

function complete(state: State): void {
  state.whole = true
  for (const part of state.parts.values()) if (part.kind === 'call') part.done = true
  const { details, thinking } = state
  if (details.length > 0)
    thinking.opaque = { vendor: chatVendor, field: 'reasoning_details', details } satisfies ChatSeal
}

function refusalOf({ refusal, finish }: State): string | undefined {
  if (refusal !== '') return refusal
  return finish === 'content_filter' ? "the provider's content filter stopped the answer" : undefined
}

/** Content in parts, with thinking among it. */
function hearParts({ text, thinking }: State, content: readonly unknown[]): Delta | undefined {
  let heard: Delta | undefined
  for (const part of content as readonly ({ text?: unknown; thinking?: unknown } | null)[]) {
    heard = say(thinking, thoughtIn(part?.thinking)) ?? say(text, textIn(part?.text)) ?? heard
  }
  return heard
}

function thoughtIn(thinking: unknown): string {
  if (!Array.isArray(thinking)) return textIn(thinking)
  return thinking.map((piece: { text?: unknown } | null) => textIn(piece?.text)).join('')
}

function usageOf(usage: Counts | undefined) {
  const details = (key: string): Counts => (usage?.[key] ?? {}) as Counts
  return openAiUsage({
    input: usage?.['prompt_tokens'],
    output: usage?.['completion_tokens'],
    cached: details('prompt_tokens_details')['cached_tokens'] ?? usage?.['prompt_cache_hit_tokens'],
    written: details('prompt_tokens_details')['cache_write_tokens'],
    reasoning: details('completion_tokens_details')['reasoning_tokens'],
  })
}
