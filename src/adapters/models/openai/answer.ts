import { failure } from '../../../protocol/conversation/failure.ts'
import type { StopReason } from '../../../protocol/conversation/message.ts'
import { openAiUsage } from '../served/counts.ts'
import {
  argumentText,
  emptyAnswer,
  growArguments,
  say,
  textFrom,
  type AnswerReader,
  type AnswerDraft,
  type Part,
} from '../served/draft.ts'
import type { AnswerDelta } from '../../../protocol/models/model.ts'
import { errorFailure } from '../http/failure-of.ts'
import { begin, finish, isDone, isOther, refusalIn, type Item, type Piece } from './items.ts'
import { isError } from '../http/server-error.ts'

interface Reply {
  readonly status?: string
  readonly output?: readonly Item[] | null
  readonly error?: unknown
  readonly incomplete_details?: { readonly reason?: string } | null
  readonly usage?: Readonly<Record<string, unknown>> | null
}

interface Event {
  readonly type?: string
  readonly output_index?: number | undefined
  readonly item_id?: unknown
  readonly summary_index?: number
  readonly delta?: unknown
  readonly text?: unknown
  readonly refusal?: unknown
  readonly arguments?: unknown
  readonly item?: Item
  readonly part?: Piece | null
  readonly response?: Reply | null | undefined
  /** Some servers say here why a response failed. */
  readonly error?: unknown
}

/**
 * Gathers a stream of the Responses API. Items are known by their ids and by their places: some servers change the ids
 * midway, others give one place to all.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function responsesAnswer(): AnswerReader {
  const maps = { ids: new Map(), moved: new Map(), told: new Map() }
  const state: State = { ...emptyAnswer(), ...maps, reply: {}, refusal: '', latest: 0 }
  return {
    draft: state,
    eventsOf: (reply) =>
      Array.isArray((reply as Reply).output)
        ? [{ type: `response.${(reply as Reply).status ?? 'completed'}`, response: reply }]
        : [],
    take(event) {
      return handlers[(event as Event).type ?? (isError(event) ? 'error' : '')]?.(state, event as Event)
    },
    stop: (called) => stopOf(state.reply, called),
    refusal: () => refusalOf(state),
    usage: () => ({ ...usageOf(state.reply), ...searchesIn(state) }),
  }
}

interface State extends AnswerDraft {
  reply: Reply
  refusal: string
  /** Where the item is that was begun last: events without a place belong to it. */
  latest: number
  /** Where the item with an id is; undefined where several go by it. */
  readonly ids: Map<unknown, number | undefined>
  /** Where the item is that a place means now, once another has been given the same. */
  readonly moved: Map<unknown, number>
  /** The latest words on each part's item. */
  readonly told: Map<Part, Telling>
}

interface Telling {
  readonly id: string
  readonly isWhole: boolean
}

type Handler = (state: State, event: Event) => AnswerDelta | undefined

const reasoning: Item = { type: 'reasoning' }
const message: Item = { type: 'message' }

const think: Handler = (state, event) => say(partAt(state, event, reasoning), textFrom(event.delta))

/** A whole text counts only where no piece of it came before. */
const thought: Handler = (state, event) => {
  const part = partAt(state, event, reasoning)
  return part.kind === 'thinking' && part.text === '' ? think(state, { ...event, delta: event.text }) : undefined
}

const speak: Handler = (state, event) => say(partAt(state, event, message), textFrom(event.delta))

const spoken: Handler = (state, event) => {
  const part = partAt(state, event, message)
  return part.kind === 'text' && part.text === '' ? say(part, textFrom(event.text)) : undefined
}

const end: Handler = (state, { response }) => {
  const reply = response ?? {}
  if (reply.error || reply.status === 'failed') return fail(state, { response })
  Object.assign(state, { reply, whole: true, over: true })
  // Items that the stream left out stand in the whole response.
  for (const [index, item] of (reply.output ?? []).entries()) {
    state.refusal ||= refusalIn(item)
    const output_index = state.ids.get(item.id) ?? index
    const part = state.parts.get(output_index)
    if (!part || !isDone(part)) finish(partAt(state, { output_index }, item), item)
  }
  return undefined
}

const fail: Handler = (state, { response, error }) => {
  state.reply = response ?? {}
  state.fault ??= errorFailure(response?.error ?? error ?? 'the server said that its answer failed, and not why')
  return undefined
}

const err: Handler = (state, event) => {
  state.fault ??= errorFailure(event)
  return undefined
}

const handlers: Readonly<Record<string, Handler>> = {
  'response.output_text.delta': speak,
  'response.output_text.done': spoken,
  // OpenRouter's name for a piece of text, and for the end of it all.
  'response.content_part.delta': speak,
  'response.done': end,
  'response.content_part.done': (state, event) => {
    const { part } = event
    state.refusal ||= textFrom(part?.refusal)
    return part?.type === 'output_text' ? spoken(state, { ...event, text: part.text }) : undefined
  },
  'response.reasoning_summary_text.delta': think,
  'response.reasoning_summary_text.done': thought,
  'response.reasoning_text.delta': think,
  'response.reasoning_text.done': thought,
  // Older vLLM.
  'response.reasoning.delta': think,
  'response.reasoning_summary_part.added': (state, event) =>
    (event.summary_index ?? 0) > 0 ? think(state, { ...event, delta: '\n\n' }) : undefined,
  'response.function_call_arguments.delta': (state, event) => {
    const part = state.parts.get(placeOf(state, event))
    if (part?.kind === 'call') growArguments(part, argumentText(event.delta))
    return undefined
  },
  'response.function_call_arguments.done': (state, event) => {
    const part = state.parts.get(placeOf(state, event))
    if (part?.kind === 'call') Object.assign(part, { args: argumentText(event.arguments), done: true })
    return undefined
  },
  'response.refusal.delta': (state, { delta }) => {
    state.refusal += textFrom(delta)
    return undefined
  },
  'response.refusal.done': (state, { refusal }) => {
    state.refusal = textFrom(refusal) || state.refusal
    return undefined
  },
  'response.output_item.added': (state, event) => {
    itemAt(state, event, false)
    return undefined
  },
  'response.output_item.done': (state, event) => {
    const { item = {} } = event
    state.refusal ||= refusalIn(item)
    return finish(itemAt(state, event, true), item)
  },
  'response.completed': end,
  'response.incomplete': end,
  'response.failed': fail,
  'response.cancelled': (state, { response }) => {
    state.reply = response ?? {}
    state.fault ??= failure('stream_broken', 'the server cancelled its answer')
    return undefined
  },
  'response.error': err,
  error: err,
}

/** The part that a piece belongs to; words need none that was begun. */
function partAt(state: State, event: Event, item: Item): Part {
  const place = placeOf(state, event)
  const known = state.parts.get(place)
  if (!known || isOther(known, item)) return open(state, event.output_index, item)
  state.latest = place
  return known
}

function placeOf({ ids, moved, latest }: State, { item_id, output_index }: Event): number {
  return ids.get(item_id) ?? moved.get(output_index) ?? output_index ?? latest
}

/** The part of an item that begins or is whole; one begins where nothing stands yet, or the item of another. */
function itemAt(state: State, { output_index, item = {} }: Event, isWhole: boolean): Part {
  const id = textFrom(item.id)
  const telling = { id: textFrom(item.call_id) || id, isWhole }
  const isFree = output_index === undefined ? !isWhole && !state.ids.has(id) : !state.parts.has(output_index)
  const place = placeOf(state, { item_id: id, output_index })
  const known = isFree ? undefined : state.parts.get(place)
  const isKnown = known !== undefined && !isOther(known, item) && !isAgain(state.told.get(known), telling)
  if (isKnown) state.latest = place
  const part = isKnown ? known : open(state, output_index, item)
  state.told.set(part, telling)
  name(state, id)
  name(state, telling.id)
  return part
}

/** Ids may change between an item's beginning and its end; two beginnings or two ends under two ids are two items. */
function isAgain(before: Telling | undefined, { id, isWhole }: Telling): boolean {
  return before !== undefined && before.id !== id && (before.isWhole || !isWhole)
}

/** A new part: at the place it is given, or after all others where that is taken. */
function open(state: State, index: number | undefined, item: Item): Part {
  const { parts, moved } = state
  const isFree = Number.isSafeInteger(index) && !parts.has(index as number)
  state.latest = isFree ? (index as number) : Math.max(-1, ...parts.keys()) + 1
  if (!isFree && index !== undefined) moved.set(index, state.latest)
  const part = begin(item)
  parts.set(state.latest, part)
  return part
}

/** From now on an id leads to the latest part, unless it led to another: some servers give one to all. */
function name({ ids, latest }: State, id: string): void {
  if (id !== '') ids.set(id, ids.has(id) && ids.get(id) !== latest ? undefined : latest)
}

function refusalOf({ refusal, reply }: State): string | undefined {
  if (refusal !== '') return refusal
  const isFiltered = reply.incomplete_details?.reason === 'content_filter'
  return isFiltered ? "the provider's content filter stopped the answer" : undefined
}

function stopOf({ status, incomplete_details }: Reply, called: boolean): StopReason {
  if (status === 'incomplete' || incomplete_details?.reason === 'max_output_tokens') return 'max_tokens'
  return called ? 'tools' : 'end'
}

/** This vendor counts no searches: each is an item of its own. */
function searchesIn({ parts }: State): { readonly searches?: number } {
  const items = [...parts.values()].map((part) => (part.kind === 'foreign' ? (part.raw as Item) : {}))
  const searches = items.filter(({ type }) => type === 'web_search_call').length
  return searches === 0 ? {} : { searches }
}

function usageOf({ usage }: Reply) {
  const details = (key: string): Readonly<Record<string, unknown>> => (usage?.[key] ?? {}) as Record<string, unknown>
  return openAiUsage({
    input: usage?.['input_tokens'],
    output: usage?.['output_tokens'],
    cached: details('input_tokens_details')['cached_tokens'],
    written: details('input_tokens_details')['cache_write_tokens'],
    reasoning: details('output_tokens_details')['reasoning_tokens'],
  })
}
