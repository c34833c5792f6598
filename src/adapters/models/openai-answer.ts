import type { StopReason } from '../../protocol/message.ts'
import { openAiUsage } from './counts.ts'
import { emptyDraft, say, type Answer, type Delta, type Draft, type Part } from './draft.ts'
import { errorFailure } from './failure-of.ts'
import { openAiVendor, type OpenAiSeal } from './openai-rounds.ts'

interface Item {
  readonly type?: string
  readonly call_id?: string
  readonly name?: string
  readonly arguments?: string
  readonly status?: string
  readonly content?: readonly {
    readonly type?: string
    readonly text?: string
    readonly refusal?: string
    readonly annotations?: unknown
  }[]
  readonly summary?: readonly { readonly text?: string }[]
  readonly phase?: unknown
  readonly caller?: unknown
  readonly namespace?: unknown
}

interface Reply {
  readonly status?: string
  readonly output?: readonly Item[]
  readonly error?: unknown
  readonly incomplete_details?: { readonly reason?: string } | null
  readonly usage?: Readonly<Record<string, unknown>> | null
}

interface Event {
  readonly type?: string
  readonly output_index?: number
  readonly summary_index?: number
  readonly delta?: string
  readonly item?: Item
  readonly response?: Reply
}

/**
 * Gathers a stream of the Responses API. Items are known by their place: some servers change their ids midway.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function responsesAnswer(): Answer {
  const state: State = { ...emptyDraft(), reply: {}, refusal: '' }
  return {
    draft: state,
    eventsOf: (reply) =>
      Array.isArray((reply as Reply).output)
        ? [{ type: `response.${(reply as Reply).status ?? ''}`, response: reply }]
        : [],
    take: (event) => handlers[(event as Event).type ?? '']?.(state, event as Event),
    stop: (called) => stopOf(state.reply, called),
    refusal: () => refusalOf(state),
    usage: () => usageOf(state.reply),
  }
}

interface State extends Draft {
  reply: Reply
  refusal: string
}

type Handler = (state: State, event: Event) => Delta | undefined

const think: Handler = (state, { output_index = 0, delta = '' }) =>
  say(partAt(state, output_index, { type: 'reasoning' }), delta)

const end: Handler = (state, { response = {} }) => {
  Object.assign(state, { reply: response, whole: true, over: true })
  // What the stream left out is in the whole response.
  for (const [index, item] of (response.output ?? []).entries()) {
    const part = state.parts.get(index)
    if (!part || !isDone(part)) finish(partAt(state, index, item), item)
  }
  return undefined
}

const handlers: Readonly<Record<string, Handler>> = {
  'response.output_text.delta': (state, { output_index = 0, delta = '' }) =>
    say(partAt(state, output_index, { type: 'message' }), delta),
  'response.reasoning_summary_text.delta': think,
  'response.reasoning_text.delta': think,
  'response.reasoning_summary_part.added': (state, event) =>
    (event.summary_index ?? 0) > 0 ? think(state, { ...event, delta: '\n\n' }) : undefined,
  'response.function_call_arguments.delta': ({ parts }, { output_index = 0, delta = '' }) => {
    const part = parts.get(output_index)
    if (part?.kind === 'call') part.args += delta
    return undefined
  },
  'response.refusal.delta': (state, { delta = '' }) => {
    state.refusal += delta
    return undefined
  },
  'response.output_item.added': (state, { output_index = 0, item = {} }) => {
    partAt(state, output_index, item)
    return undefined
  },
  'response.output_item.done': (state, { output_index = 0, item = {} }) => {
    state.refusal ||= refusalIn(item)
    return finish(partAt(state, output_index, item), item)
  },
  'response.completed': end,
  'response.incomplete': end,
  'response.failed': (state, { response }) => {
    state.fault ??= errorFailure(response)
    return undefined
  },
  error: (state, event) => {
    state.fault ??= errorFailure(event)
    return undefined
  },
}

function partAt({ parts }: Draft, index: number, item: Item): Part {
  const part = parts.get(index) ?? begin(item)
  parts.set(index, part)
  return part
}

function begin(item: Item): Part {
  if (item.type === 'message') return { kind: 'text', text: '' }
  if (item.type === 'reasoning') return { kind: 'thinking', text: '' }
  if (item.type === 'function_call') {
    return { kind: 'call', id: item.call_id ?? '', name: item.name ?? '', args: '', done: false }
  }
  return { kind: 'foreign', raw: { ...item }, args: '', done: false }
}

/** The finished item is the truth; what its deltas left out is said now. */
function finish(part: Part, item: Item): Delta | undefined {
  if (part.kind === 'call') {
    part.args = item.arguments ?? part.args
    part.id = item.call_id ?? part.id
    part.name = item.name ?? part.name
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
  const text = part.kind === 'text' ? textIn(item) : (item.summary ?? []).map((piece) => piece.text ?? '').join('\n\n')
  return text.startsWith(part.text) ? say(part, text.slice(part.text.length)) : undefined
}

/** What the vendor wants back with a text or a call; most have nothing of the kind. */
function sealOf(item: Item): OpenAiSeal | undefined {
  const { phase, caller, namespace, content } = item
  const cited = (content ?? []).some(({ annotations }) => Array.isArray(annotations) && annotations.length > 0)
  const isPlain = [phase, caller, namespace].every((field) => field === undefined || field === null)
  return isPlain && !cited ? undefined : { vendor: openAiVendor, item: { ...item } }
}

function isDone(part: Part): boolean {
  return part.kind === 'thinking' ? part.opaque !== undefined : part.kind === 'text' || part.done
}

function textIn(item: Item): string {
  return (item.content ?? []).map((part) => (part.type === 'output_text' ? (part.text ?? '') : '')).join('')
}

function refusalIn(item: Item): string {
  return Array.isArray(item.content)
    ? item.content.map((part: { refusal?: string }) => part.refusal ?? '').join('')
    : ''
}

function refusalOf({ refusal, reply }: State): string | undefined {
  if (refusal !== '') return refusal
  const isFiltered = reply.incomplete_details?.reason === 'content_filter'
  return isFiltered ? "the provider's content filter stopped the answer" : undefined
}

function stopOf({ incomplete_details }: Reply, called: boolean): StopReason {
  if (incomplete_details?.reason === 'max_output_tokens') return 'max_tokens'
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
