import { ulid } from 'ulid'
import type { StopReason } from '../../protocol/message.ts'
import { chatVendor, type ChatSeal } from './chat-request.ts'
import { openAiUsage } from './counts.ts'
import { emptyDraft, say, type Answer, type Delta, type Draft, type Part } from './draft.ts'
import { errorFailure } from './failure-of.ts'
import { mergedDetails } from './reasoning-details.ts'

interface CallPiece {
  readonly index?: number
  readonly id?: string
  readonly function?: { readonly name?: string; readonly arguments?: unknown }
}

interface Spoken {
  readonly content?: unknown
  readonly refusal?: string | null
  readonly reasoning_content?: string | null
  readonly reasoning?: string | null
  readonly reasoning_details?: readonly Record<string, unknown>[]
  readonly tool_calls?: readonly CallPiece[] | null
}

interface Chunk {
  readonly choices?: readonly { readonly delta?: Spoken; readonly finish_reason?: string | null }[]
  readonly usage?: Readonly<Record<string, unknown>> | null
  readonly error?: unknown
}

type Call = Extract<Part, { kind: 'call' }>

const stops: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  tool_calls: 'tools',
  function_call: 'tools',
  length: 'max_tokens',
  content_filter: 'refusal',
}

interface State extends Draft {
  readonly text: Part
  readonly thinking: Extract<Part, { kind: 'thinking' }>
  readonly calls: CallList
  details: readonly Record<string, unknown>[]
  usage: Chunk['usage']
  finish?: string
  refusal: string
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
      complete(state)
      return undefined
    },
    stop: (called) => stops[state.finish ?? ''] ?? (called ? 'tools' : 'end'),
    refusal: () => refusalOf(state),
    usage: () => usageOf(state.usage),
  }
}

/** An answer that came in one piece, as one chunk: what was said stands in `message` instead of `delta`. */
function wholeEvents(answer: object): readonly unknown[] {
  const { choices, usage } = answer as { readonly choices?: readonly WholeChoice[]; readonly usage?: unknown }
  const [choice] = Array.isArray(choices) ? (choices as readonly WholeChoice[]) : []
  if (!choice?.message) return []
  const { message, finish_reason } = choice
  return [{ choices: [{ delta: message, finish_reason: finish_reason ?? 'stop' }], usage }, '[DONE]']
}

interface WholeChoice {
  readonly message?: Spoken
  readonly finish_reason?: string | null
}

function begin(): State {
  const draft = emptyDraft()
  const thinking = { kind: 'thinking' as const, text: '' }
  const text: Part = { kind: 'text', text: '' }
  draft.parts.set(-2, thinking).set(-1, text)
  return { ...draft, text, thinking, calls: callList(draft), details: [], usage: undefined, refusal: '' }
}

function takeChunk(state: State, chunk: Chunk): Delta | undefined {
  const [choice] = chunk.choices ?? []
  if (chunk.error || choice?.finish_reason === 'error') {
    state.fault = errorFailure(chunk.error ? chunk : 'the provider ended its answer with an error')
    return undefined
  }
  state.usage = chunk.usage ?? state.usage
  const delta = choice?.delta ? hear(state, choice.delta) : undefined
  if (choice?.finish_reason) {
    state.finish = choice.finish_reason
    complete(state)
  }
  return delta
}

function hear(state: State, spoken: Spoken): Delta | undefined {
  const { text, thinking, calls } = state
  for (const piece of spoken.tool_calls ?? []) calls.take(piece)
  if (spoken.reasoning_details) state.details = mergedDetails(state.details, spoken.reasoning_details)
  state.refusal += spoken.refusal ?? ''
  if (typeof spoken.content === 'string' && spoken.content !== '') return say(text, spoken.content)
  if (Array.isArray(spoken.content)) return hearParts(state, spoken.content)
  const field = spoken.reasoning_content ? 'reasoning_content' : 'reasoning'
  const thought = spoken[field]
  if (!thought) return undefined
  thinking.opaque = { vendor: chatVendor, field } satisfies ChatSeal
  return say(thinking, thought)
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

interface CallList {
  take(piece: CallPiece): void
}

/**
 * Calls in the order they began. Servers differ: some leave the index out, some give every call the same one;
 * a new id is a new call then.
 */
function callList({ parts }: Draft): CallList {
  const all: Call[] = []
  const open = new Map<number, Call>()
  const callFor = ({ index, id, function: named }: CallPiece): Call => {
    const known = index === undefined ? all.at(-1) : open.get(index)
    const isOther = known !== undefined && Boolean(id) && known.id !== id && Boolean(named?.name)
    if (known && !isOther) return known
    const call: Call = { kind: 'call', id: id || `call_${ulid()}`, name: '', args: '', done: false }
    parts.set(all.length, call)
    all.push(call)
    if (index !== undefined) open.set(index, call)
    return call
  }
  return {
    take(piece) {
      const call = callFor(piece)
      const { name, arguments: args } = piece.function ?? {}
      if (name && call.name === '') call.name = name
      if (typeof args === 'string') call.args += args
      else if (args !== undefined && args !== null) call.args += JSON.stringify(args)
    },
  }
}

/** Content in parts, with thinking among it. */
function hearParts({ text, thinking }: State, content: readonly unknown[]): Delta | undefined {
  let heard: Delta | undefined
  for (const part of content as readonly { text?: string; thinking?: readonly { text?: string }[] }[]) {
    const thought = (part.thinking ?? []).map((piece) => piece.text ?? '').join('')
    heard = say(thinking, thought) ?? say(text, part.text ?? '') ?? heard
  }
  return heard
}

function usageOf(usage: Chunk['usage']) {
  const details = (key: string): Readonly<Record<string, unknown>> => (usage?.[key] ?? {}) as Record<string, unknown>
  return openAiUsage({
    input: usage?.['prompt_tokens'],
    output: usage?.['completion_tokens'],
    cached: details('prompt_tokens_details')['cached_tokens'],
    written: details('prompt_tokens_details')['cache_write_tokens'],
    reasoning: details('completion_tokens_details')['reasoning_tokens'],
  })
}
