import { failure } from '../../protocol/failure.ts'
import type { StopReason } from '../../protocol/message.ts'
import { anthropicVendor, type AnthropicSeal } from './anthropic-rounds.ts'
import { count } from './counts.ts'
import { emptyDraft, say, type Answer, type Delta, type Draft, type Part } from './draft.ts'
import { errorFailure } from './failure-of.ts'

/** The events of the Messages API, as loosely as they must be taken: a gateway may leave anything out. */
interface Event {
  readonly type?: string
  readonly index?: number
  readonly message?: { readonly id?: string; readonly usage?: Counts }
  readonly content_block?: Record<string, unknown>
  readonly delta?: Record<string, unknown>
  readonly usage?: Counts
  readonly error?: unknown
}

type Counts = Readonly<Record<string, unknown>>

const stops: Readonly<Record<string, StopReason>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tools',
  max_tokens: 'max_tokens',
  model_context_window_exceeded: 'max_tokens',
  refusal: 'refusal',
  pause_turn: 'pause',
}

interface State extends Draft {
  readonly counts: Record<string, unknown>
  id?: string
  stopReason?: string
  details?: unknown
}

/** Gathers a stream of the Messages API. @see https://docs.claude.com/en/docs/build-with-claude/streaming */
export function anthropicAnswer(): Answer {
  const state: State = { ...emptyDraft(), counts: {} }
  return {
    draft: state,
    eventsOf: wholeEvents,
    take: (event) => handlers[(event as Event).type ?? '']?.(state, event as Event),
    stop: (called) => stops[state.stopReason ?? ''] ?? (called ? 'tools' : 'end'),
    refusal: () => (state.stopReason === 'refusal' ? refusalIn(state.details) : undefined),
    usage: () => ({
      input: count(state.counts['input_tokens']),
      output: count(state.counts['output_tokens']),
      cache_read: count(state.counts['cache_read_input_tokens']),
      cache_write: count(state.counts['cache_creation_input_tokens']),
    }),
  }
}

/** An answer that came in one piece, as the events it would have come in. */
function wholeEvents(answer: object): readonly Event[] {
  const { content, ...message } = answer as {
    readonly content?: unknown
    readonly usage?: Counts
    readonly id?: string
  }
  if (!Array.isArray(content)) return []
  const blocks = (content as readonly Record<string, unknown>[]).flatMap((content_block, index) => [
    { type: 'content_block_start', index, content_block },
    { type: 'content_block_stop', index },
  ])
  const end = { type: 'message_delta', delta: message }
  return [{ type: 'message_start', message }, ...blocks, end, { type: 'message_stop' }]
}

type Handler = (state: State, event: Event) => Delta | undefined

/** Events that are not here, `ping` among them, say nothing about the answer. */
const handlers: Readonly<Record<string, Handler>> = {
  content_block_delta: ({ parts }, { index = 0, delta = {} }) => grow(parts.get(index), delta),
  content_block_start: ({ parts }, { index = 0, content_block = {} }) => {
    parts.set(index, begin(content_block))
    return undefined
  },
  content_block_stop: ({ parts }, { index = 0 }) => {
    const part = parts.get(index)
    if (part?.kind === 'call' || part?.kind === 'foreign') part.done = true
    return undefined
  },
  message_start: (state, { message }) => {
    if (state.id !== undefined && state.id !== message?.id) {
      state.fault = failure('stream_broken', 'another message began inside an open one')
      return undefined
    }
    state.id = message?.id ?? ''
    Object.assign(state.counts, known(message?.usage))
    return undefined
  },
  message_delta: (state, { delta = {}, usage }) => {
    Object.assign(state.counts, known(usage))
    if (typeof delta['stop_reason'] === 'string') state.stopReason = delta['stop_reason']
    state.details = delta['stop_details']
    return undefined
  },
  message_stop: (state) => {
    state.whole = true
    state.over = true
    return undefined
  },
  error: (state, event) => {
    state.fault = errorFailure(event)
    return undefined
  },
}

function begin(block: Record<string, unknown>): Part {
  const text = (key: string): string => (typeof block[key] === 'string' ? block[key] : '')
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
        done: false,
        opaque: calledBy(block['caller']),
      }
    default:
      return { kind: 'foreign', raw: { ...block }, args: '', done: false }
  }
}

function grow(part: Part | undefined, delta: Record<string, unknown>): Delta | undefined {
  const piece = (key: string): string => (typeof delta[key] === 'string' ? delta[key] : '')
  if (part?.kind === 'text') {
    if (delta['citation']) part.opaque = cited([...citationsIn(part.opaque), delta['citation']])
    return say(part, piece('text'))
  }
  if (part?.kind === 'thinking') {
    if (delta['type'] === 'signature_delta') part.opaque = sealed(signatureIn(part.opaque) + piece('signature'))
    return say(part, piece('thinking'))
  }
  if (part && delta['type'] === 'input_json_delta') part.args += piece('partial_json')
  else if (part?.kind === 'foreign') {
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
  const isEmpty = typeof input !== 'object' || input === null || Object.keys(input).length === 0
  return isEmpty ? '' : JSON.stringify(input)
}

function sealed(signature: string): AnthropicSeal | undefined {
  return signature === '' ? undefined : { vendor: anthropicVendor, signature }
}

function signatureIn(opaque: unknown): string {
  return (opaque as AnthropicSeal | undefined)?.signature ?? ''
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

function refusalIn(details: unknown): string {
  const explanation = (details as { explanation?: unknown } | null | undefined)?.explanation
  return typeof explanation === 'string' ? explanation : 'the model refused to answer'
}

function known(counts: Counts | undefined): Counts {
  return Object.fromEntries(Object.entries(counts ?? {}).filter(([, value]) => value !== null))
}
