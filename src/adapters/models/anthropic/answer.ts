import { failure } from '../../../protocol/conversation/failure.ts'
import type { AssistantMessage, Usage } from '../../../protocol/conversation/message.ts'
import { anthropicVendor, type AnthropicSeal } from './rounds.ts'
import { count } from '../served/counts.ts'
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
import { stopReasonOf } from '../served/ending.ts'
import { errorFailure } from '../http/failure-of.ts'
import { isError } from '../http/server-error.ts'

/** The events of the Messages API, as loosely as they must be taken: a gateway may leave anything out. */
interface Event {
  readonly type?: string
  readonly index?: number
  readonly message?: { readonly id?: string; readonly usage?: Counts; readonly [field: string]: unknown }
  readonly content_block?: Record<string, unknown>
  readonly delta?: Record<string, unknown> | null
  readonly usage?: Counts
}

type Counts = Readonly<Record<string, unknown>>

interface State extends AnswerDraft {
  readonly counts: Record<string, unknown>
  /** The block that an index means now: some gateways leave it out, others give every block the same. */
  readonly latest: Map<unknown, Part>
  /** Blocks that stood in the beginning of the message: they count where they do not come again. */
  early: readonly Record<string, unknown>[]
  id?: string
  stopReason?: string | undefined
  details?: unknown
}

/** Gathers a stream of the Messages API. @see https://docs.claude.com/en/docs/build-with-claude/streaming */
export function anthropicAnswer(): AnswerReader {
  const state: State = { ...emptyAnswer(), counts: {}, latest: new Map(), early: [] }
  return {
    draft: state,
    eventsOf: wholeEvents,
    take(event) {
      return handlers[(event as Event).type ?? (isError(event) ? 'error' : '')]?.(state, event as Event)
    },
    stop: (called) => stopReasonOf(state.stopReason ?? '') ?? (called ? 'tools' : 'end'),
    refusal: () => (stopReasonOf(state.stopReason ?? '') === 'refusal' ? refusalIn(state.details) : undefined),
    usage: () => usageIn(state.counts),
    advice: () => adviceIn(state.counts['iterations']),
  }
}

/** An answer that came in one piece, as the events it would have come in. */
function wholeEvents(answer: object): readonly Event[] {
  const { content, ...message } = answer as {
    readonly content?: unknown
    readonly usage?: Counts
    readonly id?: string
  }
  if (typeof content !== 'string' && !Array.isArray(content)) return []
  const blocks = blocksIn(content).flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ])
  const end = { type: 'message_delta', delta: message }
  return [{ type: 'message_start', message }, ...blocks, end, { type: 'message_stop' }]
}

function blocksIn(content: unknown): readonly Record<string, unknown>[] {
  const all = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const isBlock = (each: unknown): each is Record<string, unknown> => typeof each === 'object' && each !== null
  return Array.isArray(all) ? all.filter((each) => isBlock(each)) : []
}

type Handler = (state: State, event: Event) => AnswerDelta | undefined

/** Events that are not here, `ping` among them, say nothing about the answer. */
const handlers: Readonly<Record<string, Handler>> = {
  content_block_delta: (state, { index, delta }) => (delta ? grow(partAt(state, index, delta), delta) : undefined),
  content_block_start: (state, { index, content_block = {} }) => {
    const part = open(state, index, begin(content_block))
    const isHeard = (part.kind === 'text' || part.kind === 'thinking') && part.text !== ''
    return isHeard ? { type: part.kind, text: part.text } : undefined
  },
  content_block_stop: ({ latest }, { index }) => {
    close(latest.get(index))
    return undefined
  },
  message_start: (state, { message }) => {
    if (state.id !== undefined && state.id !== message?.id) {
      state.fault = failure('stream_broken', 'another message began inside an open one')
      return undefined
    }
    state.id = message?.id ?? ''
    state.stopReason = textFrom(message?.['stop_reason']) || state.stopReason
    state.early = message?.['content'] === undefined ? state.early : blocksIn(message['content'])
    noteCounts(state.counts, message?.usage)
    return undefined
  },
  message_delta: (state, { delta, usage }) => {
    noteCounts(state.counts, usage)
    state.stopReason = textFrom(delta?.['stop_reason']) || state.stopReason
    state.details = delta?.['stop_details'] ?? state.details
    return undefined
  },
  message_stop: (state) => {
    for (const [index, block] of state.early.entries()) {
      if (!state.parts.has(index)) close(open(state, index, begin(block)))
    }
    state.whole = true
    state.over = true
    return undefined
  },
  error: (state, event) => {
    state.fault = errorFailure(event)
    return undefined
  },
}

/** A new block. An index that has been given before leads to the newer one from now on. */
function open({ parts, latest }: State, index: unknown, part: Part): Part {
  const isFree = typeof index === 'number' && !parts.has(index)
  parts.set(isFree ? index : Math.max(-1, ...parts.keys()) + 1, part)
  latest.set(index, part)
  return part
}

function close(part: Part | undefined): void {
  if (part?.kind === 'call' || part?.kind === 'foreign') part.done = true
}

/** The block that a piece belongs to; words need none that was begun. */
function partAt(state: State, index: unknown, { type }: Record<string, unknown>): Part | undefined {
  const part = state.latest.get(index)
  if (part) return part
  const early = typeof index === 'number' ? state.early[index] : undefined
  if (early) return open(state, index, begin(early))
  if (type === 'text_delta') return open(state, index, { kind: 'text', text: '' })
  return type === 'thinking_delta' ? open(state, index, { kind: 'thinking', text: '' }) : undefined
}

function begin(block: Record<string, unknown>): Part {
  const text = (key: string): string => textFrom(block[key])
  switch (block['type']) {
    case 'text':
      return { kind: 'text', text: text('text'), opaque: cited(block['citations']) }
    case 'thinking':
      return { kind: 'thinking', text: text('thinking'), opaque: sealed(text('signature')) }
    case 'redacted_thinking':
      return { kind: 'thinking', text: '', opaque: { vendor: anthropicVendor, redacted: text('data') } }
    case 'tool_use':
      return {
        kind: 'call',
        id: text('id'),
        name: text('name'),
        args: inputIn(block['input']),
        early: true,
        done: false,
        opaque: calledBy(block['caller']),
      }
    default:
      return { kind: 'foreign', raw: { ...block }, args: '', done: false }
  }
}

function grow(part: Part | undefined, delta: Record<string, unknown>): AnswerDelta | undefined {
  const piece = (key: string): string => textFrom(delta[key])
  if (part?.kind === 'text') {
    if (delta['citation']) part.opaque = cited([...citationsIn(part.opaque), delta['citation']])
    return say(part, piece('text'))
  }
  if (part?.kind === 'thinking') {
    if (delta['type'] === 'signature_delta') part.opaque = signed(part.opaque, piece('signature'))
    return say(part, piece('thinking'))
  }
  if (part && delta['type'] === 'input_json_delta') {
    if (part.kind === 'call' || part.kind === 'foreign') growArguments(part, argumentText(delta['partial_json']))
  } else if (part?.kind === 'foreign') {
    for (const [key, value] of Object.entries(delta)) {
      if (key !== 'type' && value !== null) part.raw[key] = extended(part.raw[key], value)
    }
  }
  return undefined
}

/** A block that this version does not know grows by the fields of its deltas. */
function extended(before: unknown, piece: unknown): unknown {
  return typeof before === 'string' && typeof piece === 'string' ? before + piece : piece
}

/** Arguments normally arrive in pieces; some servers send them at once. */
function inputIn(input: unknown): string {
  if (typeof input === 'string') return input
  const isEmpty = typeof input !== 'object' || input === null || Object.keys(input).length === 0
  return isEmpty ? '' : JSON.stringify(input)
}

function sealed(signature: string): AnthropicSeal | undefined {
  return signature === '' ? undefined : { vendor: anthropicVendor, signature }
}

/** A signature may come in pieces, or once more after it came with the beginning. */
function signed(opaque: unknown, piece: string): AnthropicSeal | undefined {
  const before = (opaque as AnthropicSeal | undefined)?.signature ?? ''
  return sealed(before === piece ? piece : before + piece)
}

function cited(citations: unknown): AnthropicSeal | undefined {
  return Array.isArray(citations) && citations.length > 0 ? { vendor: anthropicVendor, citations } : undefined
}

function citationsIn(opaque: unknown): readonly unknown[] {
  return (opaque as AnthropicSeal | undefined)?.citations ?? []
}

function calledBy(caller: unknown): AnthropicSeal | undefined {
  return typeof caller === 'object' && caller !== null ? { vendor: anthropicVendor, caller } : undefined
}

/** Each inference of an advisor is counted apart from those of the model itself. */
function adviceIn(iterations: unknown): NonNullable<AssistantMessage['advice']> {
  const all = Array.isArray(iterations) ? (iterations as readonly Counts[]) : []
  return all
    .filter((each) => each?.['type'] === 'advisor_message')
    .map((each, index) => ({
      id: `advice-${index + 1}`,
      model: `${anthropicVendor}/${textFrom(each['model'])}`,
      usage: usageIn(each),
    }))
}

function usageIn(counts: Counts): Usage {
  const { thinking_tokens } = (counts['output_tokens_details'] ?? {}) as Counts
  const { web_search_requests: searches } = (counts['server_tool_use'] ?? {}) as Counts
  return {
    input: count(counts['input_tokens']),
    output: count(counts['output_tokens']),
    cache_read: count(counts['cache_read_input_tokens']),
    cache_write: count(counts['cache_creation_input_tokens']) || sumOf(counts['cache_creation']),
    ...(count(thinking_tokens) > 0 ? { reasoning: count(thinking_tokens) } : {}),
    ...(count(searches) > 0 ? { searches: count(searches) } : {}),
  }
}

/** Some gateways count what is written to the cache by its time to live alone. */
function sumOf(details: unknown): number {
  return Object.values(details ?? {}).reduce<number>((sum, each) => sum + count(each), 0)
}

function refusalIn(details: unknown): string {
  const explanation = (details as { explanation?: unknown } | null | undefined)?.explanation
  return typeof explanation === 'string' ? explanation : 'the model refused to answer'
}

/** Later counts stand for earlier ones; what is null says nothing. */
function noteCounts(counts: Record<string, unknown>, later: Counts | undefined): void {
  for (const [name, value] of Object.entries(later ?? {})) if (value !== null) counts[name] = value
}
