import { failure } from '../../protocol/failure.ts'
import type { StopReason } from '../../protocol/message.ts'
import { openAiUsage } from './counts.ts'
import { argumentText, emptyDraft, say, textIn, type Answer, type Delta, type Draft, type Part } from './draft.ts'
import { errorFailure } from './failure-of.ts'
import { openAiVendor, type OpenAiSeal } from './openai-rounds.ts'

interface Item {
  readonly type?: string
  readonly call_id?: unknown
  readonly name?: unknown
  readonly arguments?: unknown
  readonly status?: string
  readonly content?: unknown
  readonly summary?: unknown
  readonly phase?: unknown
  readonly caller?: unknown
  readonly namespace?: unknown
}

interface Reply {
  readonly status?: string
  readonly output?: readonly Item[] | null
  readonly error?: unknown
  readonly incomplete_details?: { readonly reason?: string } | null
  readonly usage?: Readonly<Record<string, unknown>> | null
}

interface Event {
  readonly type?: string
  readonly output_index?: number
  readonly summary_index?: number
  readonly delta?: unknown
  readonly text?: unknown
  readonly refusal?: unknown
  readonly arguments?: unknown
  readonly item?: Item
  readonly response?: Reply | null | undefined
  readonly error?: unknown
}

/** A piece of a message's content or of a summary. */
interface Piece {
  readonly type?: unknown
  readonly text?: unknown
  readonly refusal?: unknown
  readonly annotations?: unknown
}

/**
 * Gathers a stream of the Responses API. Items are known by their place: some servers change their ids midway.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function responsesAnswer(): Answer {
  const state: State = { ...emptyDraft(), reply: {}, refusal: '', latest: 0 }
  return {
    draft: state,
    eventsOf: (reply) =>
      Array.isArray((reply as Reply).output)
        ? [{ type: `response.${(reply as Reply).status ?? 'completed'}`, response: reply }]
        : [],
    take(event) {
      const { type, error } = event as Event
      return handlers[type ?? (error ? 'error' : '')]?.(state, event as Event)
    },
    stop: (called) => stopOf(state.reply, called),
    refusal: () => refusalOf(state),
    usage: () => usageOf(state.reply),
  }
}

interface State extends Draft {
  reply: Reply
  refusal: string
  /** Where the item is that was begun last: events without a place belong to it. */
  latest: number
}

type Handler = (state: State, event: Event) => Delta | undefined

const think: Handler = (state, { output_index, delta }) =>
  say(partAt(state, output_index, { type: 'reasoning' }), textIn(delta))

const end: Handler = (state, { response }) => {
  const reply = response ?? {}
  if (reply.error || reply.status === 'failed') return fail(state, { response })
  Object.assign(state, { reply, whole: true, over: true })
  // What the stream left out is in the whole response.
  for (const [index, item] of (reply.output ?? []).entries()) {
    state.refusal ||= refusalIn(item)
    const part = state.parts.get(index)
    if (!part || !isDone(part)) finish(partAt(state, index, item), item)
  }
  return undefined
}

const fail: Handler = (state, { response }) => {
  state.reply = response ?? {}
  state.fault ??= errorFailure(response?.error ?? 'the server said that its answer failed, and not why')
  return undefined
}

const handlers: Readonly<Record<string, Handler>> = {
  'response.output_text.delta': (state, { output_index, delta }) =>
    say(partAt(state, output_index, { type: 'message' }), textIn(delta)),
  'response.output_text.done': (state, { output_index, text }) => {
    const part = partAt(state, output_index, { type: 'message' })
    return part.kind === 'text' && part.text === '' ? say(part, textIn(text)) : undefined
  },
  'response.reasoning_summary_text.delta': think,
  'response.reasoning_text.delta': think,
  'response.reasoning_summary_part.added': (state, event) =>
    (event.summary_index ?? 0) > 0 ? think(state, { ...event, delta: '\n\n' }) : undefined,
  'response.function_call_arguments.delta': ({ parts, latest }, { output_index = latest, delta }) => {
    const part = parts.get(output_index)
    if (part?.kind === 'call') part.args += argumentText(delta)
    return undefined
  },
  'response.function_call_arguments.done': ({ parts, latest }, { output_index = latest, arguments: all }) => {
    const part = parts.get(output_index)
    if (part?.kind === 'call') Object.assign(part, { args: argumentText(all), done: true })
    return undefined
  },
  'response.refusal.delta': (state, { delta }) => {
    state.refusal += textIn(delta)
    return undefined
  },
  'response.refusal.done': (state, { refusal }) => {
    state.refusal = textIn(refusal) || state.refusal
    return undefined
  },
  'response.output_item.added': (state, { output_index = nextPlace(state), item = {} }) => {
    partAt(state, output_index, item)
    return undefined
  },
  'response.output_item.done': (state, { output_index, item = {} }) => {
    state.refusal ||= refusalIn(item)
    return finish(partAt(state, output_index, item), item)
  },
  'response.completed': end,
  'response.incomplete': end,
  'response.failed': fail,
  'response.cancelled': (state, { response }) => {
    state.reply = response ?? {}
    state.fault ??= failure('stream_broken', 'the server cancelled its answer')
    return undefined
  },
  error: (state, event) => {
    state.fault ??= errorFailure(event)
    return undefined
  },
}

function partAt(state: State, index = state.latest, item: Item = {}): Part {
  const known = state.parts.get(index)
  const isOther = known?.kind === 'foreign' && item.type !== undefined && item.type !== known.raw['type']
  const part = known && !isOther ? known : begin(item)
  state.parts.set(index, part)
  state.latest = index
  return part
}

function nextPlace({ parts }: Draft): number {
  return Math.max(-1, ...parts.keys()) + 1
}

function begin(item: Item): Part {
  if (item.type === 'message') return { kind: 'text', text: '' }
  if (item.type === 'reasoning') return { kind: 'thinking', text: '' }
  if (item.type === 'function_call') {
    return { kind: 'call', id: textIn(item.call_id), name: textIn(item.name), args: '', done: false }
  }
  return { kind: 'foreign', raw: { ...item }, args: '', done: false }
}

/** The finished item is the truth; what its deltas left out is said now. */
function finish(part: Part, item: Item): Delta | undefined {
  if (part.kind === 'call') {
    part.args = argumentText(item.arguments) || part.args
    part.id = textIn(item.call_id) || part.id
    part.name = textIn(item.name) || part.name
    part.done = item.status !== 'incomplete'
    part.opaque = sealOf(item)
    return undefined
  }
  if (part.kind === 'foreign') {
    Object.assign(part.raw, item)
    part.done = true
    return undefined
  }
  if (part.kind === 'thinking') part.opaque = { vendor: openAiVendor, item: { ...item } } satisfies OpenAiSeal
  else part.opaque = sealOf(item)
  const text = part.kind === 'text' ? saidIn(item) : thoughtIn(item)
  if (text.startsWith(part.text)) return say(part, text.slice(part.text.length))
  part.text = text || part.text
  return undefined
}

/** What the vendor wants back with a text or a call; most have nothing of the kind. */
function sealOf(item: Item): OpenAiSeal | undefined {
  const { phase, caller, namespace, content } = item
  const cited = piecesIn(content).some(({ annotations }) => Array.isArray(annotations) && annotations.length > 0)
  const isPlain = [phase, caller, namespace].every((field) => field === undefined || field === null)
  return isPlain && !cited ? undefined : { vendor: openAiVendor, item: { ...item } }
}

function isDone(part: Part): boolean {
  return part.kind === 'thinking' ? part.opaque !== undefined : part.kind === 'text' || part.done
}

function piecesIn(list: unknown): readonly Piece[] {
  return Array.isArray(list) ? list.filter((piece): piece is Piece => typeof piece === 'object' && piece !== null) : []
}

function saidIn({ content }: Item): string {
  const pieces = piecesIn(content).filter(({ type }) => type === 'output_text')
  return textIn(content) + pieces.map(({ text }) => textIn(text)).join('')
}

/** Servers that seal nothing show the thinking itself. */
function thoughtIn({ summary, content }: Item): string {
  const pieces = piecesIn(summary).length > 0 ? piecesIn(summary) : piecesIn(content)
  return pieces.map(({ text }) => textIn(text)).join('\n\n')
}

function refusalIn({ content }: Item): string {
  return piecesIn(content)
    .map(({ refusal }) => textIn(refusal))
    .join('')
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
