import type { Failure } from '../../../protocol/conversation/failure.ts'
import { stopReasonOf, faultOf } from '../served/ending.ts'
import { withoutInlineWords } from './inline-words.ts'
import { callList, type CallList, type CallPiece } from './calls.ts'
import { chatVendor, type ChatSeal } from './rounds.ts'
import { chatUsage, mergedCounts, type Counts } from '../served/counts.ts'
import { emptyAnswer, say, textFrom, type AnswerReader, type AnswerDraft, type Part } from '../served/draft.ts'
import type { AnswerDelta } from '../../../protocol/models/model.ts'
import { errorFailure } from '../http/failure-of.ts'
import { isError } from '../http/server-error.ts'

interface Spoken {
  readonly content?: unknown
  readonly refusal?: unknown
  readonly reasoning_content?: unknown
  readonly reasoning?: unknown
  readonly reasoning_text?: unknown
  readonly thinking?: unknown
  readonly reasoning_details?: unknown
  /** Gemini marks the words that are a thought. */
  readonly extra_content?: { readonly google?: { readonly thought?: unknown } | null } | null
  readonly tool_calls?: readonly (CallPiece | null)[] | CallPiece | null
  /** The older spelling of a call; there is only one then. */
  readonly function_call?: CallPiece['function']
}

interface Choice {
  readonly index?: unknown
  readonly delta?: Spoken | null
  readonly message?: Spoken | null
  readonly finish_reason?: unknown
  readonly usage?: unknown
  readonly error?: unknown
}

interface Chunk {
  readonly choices?: readonly (Choice | null)[] | null
  readonly usage?: unknown
  /** llama.cpp's own counts. */
  readonly timings?: { readonly cache_n?: unknown } | null
  /** Groq's own fields beside the words. */
  readonly x_groq?: { readonly usage?: unknown; readonly error?: unknown } | null
}

interface State extends AnswerDraft {
  readonly text: Extract<Part, { kind: 'text' }>
  readonly thinking: Extract<Part, { kind: 'thinking' }>
  readonly calls: CallList
  details: readonly Record<string, unknown>[]
  usage: Counts | undefined
  finish: string
  refusal: string
  /** True once a part of an answer has come, be it empty. */
  begun: boolean
}

/**
 * Gathers a stream of chat completions, as OpenAI and its many imitators send it.
 * @param readsCalls whether calls may stand in the text
 */
export function chatAnswer(readsCalls: () => boolean = () => false): AnswerReader {
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
    // Older llama.cpp says in a field of this name what went wrong.
    dataOf: (field, value) => (field === 'error' ? `{"error":${value}}` : undefined),
    stop: (called) => stopReasonOf(state.finish) ?? (called ? 'tools' : 'end'),
    refusal: () => refusalOf(state),
    usage: () => chatUsage(state.usage),
    repaired: (message, request) => withoutInlineWords(message, request, readsCalls()),
    cost: () => costIn(state.usage),
  }
}

/** An answer that came in one piece, as one chunk. */
function wholeEvents(answer: object): readonly unknown[] {
  const { choices, usage } = answer as { readonly choices?: readonly Choice[]; readonly usage?: unknown }
  const all = Array.isArray(choices) ? (choices as readonly (Choice | null)[]) : []
  if (!all.some((choice) => choice?.message)) return []
  return [{ choices: all.map((choice) => ({ finish_reason: 'stop', ...choice })), usage }, '[DONE]']
}

function begin(): State {
  const draft = emptyAnswer()
  const thinking = { kind: 'thinking' as const, text: '' }
  const text = { kind: 'text' as const, text: '' }
  draft.parts.set(-2, thinking).set(-1, text)
  const rest = { details: [], usage: undefined, finish: '', refusal: '', begun: false }
  return { ...draft, text, thinking, calls: callList(draft), ...rest }
}

function takeChunk(state: State, chunk: Chunk): AnswerDelta | undefined {
  const choice = chunk.choices?.find(isOurs) ?? undefined
  const finish = textFrom(choice?.finish_reason)
  state.fault = faultIn(chunk, choice, finish)
  if (state.fault) return undefined
  state.usage = mergedCounts(state.usage, chunk.usage ?? choice?.usage ?? chunk.x_groq?.usage)
  if (chunk.timings) state.usage = mergedCounts({ cached_tokens: chunk.timings.cache_n }, state.usage)
  if (choice === undefined) return undefined
  state.begun = true
  const delta = hearChoices(state, choice, chunk.choices ?? [])
  if (finish !== '') {
    state.finish = finish
    complete(state)
  }
  return delta
}

/** Only the first choice counts: a second one was never asked for. */
function isOurs(choice: Choice | null): boolean {
  return Number(choice?.index ?? 0) === 0
}

/** Copilot says words in one choice and makes calls in another of the same index. */
function hearChoices(state: State, first: Choice, all: readonly (Choice | null)[]): AnswerDelta | undefined {
  const delta = hearChoice(state, first)
  if (all.length === 1) return delta
  const others = all.filter((choice) => choice !== null && choice !== first && isOurs(choice))
  const heard = others.map((choice) => hearChoice(state, choice))
  return delta ?? heard.find((one) => one !== undefined)
}

/** A `message` beside deltas repeats them. */
function hearChoice(state: State, choice: Choice | null): AnswerDelta | undefined {
  const spoken = choice?.delta ?? choice?.message
  return spoken ? hear(state, spoken) : undefined
}

function faultIn(chunk: Chunk, choice: Choice | undefined, finish: string): Failure | undefined {
  const said = choice?.error ?? chunk.x_groq?.error
  if (isError(chunk)) return errorFailure(chunk)
  if (said) return errorFailure({ error: said })
  return finish === '' ? undefined : faultOf(finish)
}

function hear(state: State, spoken: Spoken): AnswerDelta | undefined {
  const { content, tool_calls, function_call, reasoning_details } = spoken
  if (tool_calls) state.calls.take(Array.isArray(tool_calls) ? tool_calls : [tool_calls])
  else if (function_call) state.calls.take([{ function: function_call }])
  if (Array.isArray(reasoning_details)) state.details = mergedDetails(state.details, reasoning_details)
  state.refusal += textFrom(spoken.refusal)
  const thought = think(state, spoken)
  if (Array.isArray(content)) return hearParts(state, content)
  const text = textFrom(content)
  if (spoken.extra_content?.google?.thought === true)
    return say(state.thinking, text.replaceAll(/^<thought>|<\/thought>$/g, ''))
  const isFirst = state.thinking.text !== '' && state.text.text === ''
  return say(state.text, isFirst ? text.replace(/^<\/thought>\s*/, '') : text) ?? thought
}

/** Where servers put what a model thought; some say it in two of them. */
const thinkingFields = ['reasoning_content', 'reasoning', 'reasoning_text', 'thinking'] as const

function think({ thinking }: State, spoken: Spoken): AnswerDelta | undefined {
  for (const field of thinkingFields) {
    const thought = say(thinking, textFrom(spoken[field]))
    if (!thought) continue
    thinking.opaque = { vendor: chatVendor, field } satisfies ChatSeal
    return thought
  }
  return undefined
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
  return stopReasonOf(finish) === 'refusal' ? "the provider's content filter stopped the answer" : undefined
}

/** A piece of content in parts. */
interface SpokenPart {
  readonly type?: unknown
  readonly text?: unknown
  readonly thinking?: unknown
  readonly refusal?: unknown
}

/** Content in parts, with thinking and refusals among it. */
function hearParts(state: State, content: readonly (SpokenPart | string | null)[]): AnswerDelta | undefined {
  let heard: AnswerDelta | undefined
  for (const each of content) {
    const part = typeof each === 'string' ? { text: each } : each
    const isThought = /reason|think/.test(textFrom(part?.type))
    state.refusal += textFrom(part?.refusal)
    heard =
      say(state.thinking, thoughtIn(part?.thinking)) ??
      say(isThought ? state.thinking : state.text, textFrom(part?.text)) ??
      heard
  }
  return heard
}

function thoughtIn(thinking: unknown): string {
  if (!Array.isArray(thinking)) return textFrom(thinking)
  return thinking.map((piece: { text?: unknown } | null) => textFrom(piece?.text)).join('')
}

type Detail = Readonly<Record<string, unknown>>

/**
 * Pieces of `reasoning_details` put together: those of one index, type and id are one, their texts joined.
 * The server checks signatures over them, so nothing else is changed.
 */
function mergedDetails(before: readonly Detail[], pieces: readonly Detail[]): readonly Detail[] {
  const merged = [...before]
  for (const piece of pieces) {
    const place = merged.findLastIndex((known) => isSame(known, piece))
    const known = merged[place]
    if (known) merged[place] = joined(known, piece)
    else merged.push(piece)
  }
  return merged
}

/** Under one index there may be a piece for each of several calls. */
function isSame(known: Detail, piece: Detail): boolean {
  const isOther = Boolean(known['id']) && Boolean(piece['id']) && known['id'] !== piece['id']
  return !isOther && known['index'] === piece['index'] && known['type'] === piece['type']
}

function joined(known: Detail, piece: Detail): Detail {
  const texts = ['text', 'summary', 'data'].flatMap((key) => {
    const [before, more] = [known[key], piece[key]]
    if (typeof before !== 'string' || typeof more !== 'string') return []
    return [[key, key === 'data' && before === more ? more : before + more] as const]
  })
  const told = Object.entries(piece).filter(([, value]) => value !== null)
  return { ...known, ...Object.fromEntries<unknown>([...told, ...texts]) }
}

/** OpenRouter counts its own dollars. */
function costIn(usage: Counts | undefined): number | undefined {
  const cost = usage?.['cost']
  return typeof cost === 'number' && cost >= 0 && Number.isFinite(cost) ? cost : undefined
}
