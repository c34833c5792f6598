import type { Failure } from '../../../protocol/conversation/failure.ts'
import type { AssistantMessage, StopReason, Usage } from '../../../protocol/conversation/message.ts'
import type { AnswerDelta, ModelRequest } from '../../../protocol/models/model.ts'

type Block = AssistantMessage['content'][number]

/** A block that is still arriving. Texts grow by `+=`, which V8 keeps as a rope until they are read. */
export type Part =
  | { readonly kind: 'text'; text: string; opaque?: unknown }
  | { readonly kind: 'thinking'; text: string; opaque?: unknown }
  | {
      readonly kind: 'call'
      id: string
      name: string
      args: string
      /** The server said that nothing more comes of it. */
      done: boolean
      /** True when the arguments came with the call's beginning: later pieces repeat them. */
      early?: boolean
      opaque?: unknown
    }
  | { readonly kind: 'foreign'; raw: Record<string, unknown>; args: string; done: boolean }

/** The arrived part of an answer, of any vendor. */
export interface AnswerDraft {
  /** By their place in the answer. */
  readonly parts: Map<number, Part>
  /** The server said that something went wrong inside an answer that began well. */
  fault?: Failure | undefined
  /** The server said that the answer is complete. Without it nothing that was asked for may run. */
  whole: boolean
  /** True when the answer is complete: there is no need to wait for the connection to end. */
  over: boolean
}

/** How one vendor's stream is gathered. What is taken in was sent by a server: it may be anything. */
export interface AnswerReader {
  readonly draft: AnswerDraft
  /** The events of an answer that the server gave in one piece instead of streaming it; none when it is no answer. */
  eventsOf(answer: object): readonly unknown[]
  /** The data that stands in a field of another name, as a server of this API may send it. */
  dataOf?(field: string, value: string): string | undefined
  /** May throw on nonsense; the answer then counts as broken. */
  take(event: unknown): AnswerDelta | undefined
  stop(called: boolean): StopReason
  usage(): Usage
  /** Dollars that the server said the answer cost. */
  cost?(): number | undefined
  /** The server's calls of other models for this answer. */
  advice?(): NonNullable<AssistantMessage['advice']>
  /** The whole answer with what its server did not tell apart told apart; null when that is as it came. */
  repaired?(message: AssistantMessage, request: ModelRequest): AssistantMessage | null
  /** Why the model would not answer; undefined when it did. */
  refusal(): string | undefined
}

export function emptyAnswer(): AnswerDraft {
  return { parts: new Map(), whole: false, over: false }
}

/** The parts in their order, which need not be the order of arrival. */
export function partsOf({ parts }: AnswerDraft): readonly Part[] {
  return [...parts].toSorted(([a], [b]) => a - b).map(([, part]) => part)
}

/** How much of an answer has arrived: a number that grows with it. */
export function sizeOf({ parts }: AnswerDraft): number {
  let size = parts.size
  for (const part of parts.values()) size += 'args' in part ? part.args.length : part.text.length
  return size
}

/** Adds a piece to a text or to thinking and says it on. */
export function say(part: Part | undefined, piece: string): AnswerDelta | undefined {
  if (piece === '' || (part?.kind !== 'text' && part?.kind !== 'thinking')) return undefined
  part.text += piece
  return { type: part.kind, text: piece }
}

/** Adds a piece to arguments; those that came with the beginning are said again in pieces. */
export function growArguments(part: Extract<Part, { readonly args: string }>, piece: string): void {
  if (part.kind === 'call' && part.early && piece !== '') Object.assign(part, { args: '', early: false })
  part.args += piece
}

/** The text in any value that a server wrote where a text belongs. */
export function textFrom(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Arguments as text, whatever a server wrote them as. */
export function argumentText(value: unknown): string {
  return typeof value === 'string' || value === undefined || value === null ? textFrom(value) : JSON.stringify(value)
}

/**
 * A call of a whole answer that the server never closed and whose arguments are not whole either: part of the
 * answer was lost. At the limit of output that is how answers end.
 */
export function hasLostCall(parts: readonly Part[], end: StopReason): boolean {
  return end !== 'max_tokens' && parts.some((part) => part.kind === 'call' && !isComplete(part))
}

function isComplete({ done, args }: Extract<Part, { kind: 'call' }>): boolean {
  return done || (args.trim() !== '' && argumentsIn(args).ok)
}

/**
 * The blocks of an answer. Calls that did not arrive whole are left out: they must not run.
 *
 * @param vendor whose foreign blocks these are
 * @param end `cut` when the answer broke off, else how it stopped
 */
export function contentOf(
  parts: readonly Part[],
  vendor: string,
  end: StopReason | 'cut',
): AssistantMessage['content'] {
  const blocks: Block[] = []
  for (const part of parts) {
    const block = part.kind === 'call' ? callOf(part, end) : blockOf(part, vendor)
    const last = blocks.at(-1)
    if (block?.type === 'text' && last?.type === 'text' && !('opaque' in block) && !('opaque' in last)) {
      blocks[blocks.length - 1] = { type: 'text', text: last.text + block.text }
    } else if (block) blocks.push(block)
  }
  return blocks
}

function blockOf(part: Exclude<Part, { kind: 'call' }>, vendor: string): Block | undefined {
  if (part.kind === 'text') return part.text === '' ? undefined : { type: 'text', text: part.text, ...kept(part) }
  if (part.kind === 'thinking') {
    if (part.opaque !== undefined) return { type: 'thinking', text: part.text, opaque: part.opaque }
    return part.text === '' ? undefined : { type: 'thinking', text: part.text }
  }
  if (!part.done || textFrom(part.raw['type']) === '') return undefined
  const raw =
    part.args === '' ? part.raw : { ...part.raw, input: parsed(part.args).value ?? { INVALID_JSON: part.args } }
  return { type: 'foreign', vendor, raw }
}

function callOf(part: Extract<Part, { kind: 'call' }>, end: StopReason | 'cut'): Block | undefined {
  if (end === 'cut' || !(end === 'max_tokens' ? part.done : isComplete(part))) return undefined
  const { id, name, args } = part
  const call = { type: 'tool_use' as const, id, name, ...kept(part) }
  const cutShort = end === 'max_tokens'
  if (args.trim() === '') return cutShort ? undefined : { ...call, input: {} }
  const { value, ok } = argumentsIn(args)
  if (ok) return { ...call, input: value === null || value === '' ? {} : value }
  return cutShort ? undefined : { ...call, input: {}, malformed: args }
}

/** The call that an answer's limit cut off: the last one, which has no block. */
export function cutCallIn(parts: readonly Part[], end: StopReason): Pick<AssistantMessage, 'cut_call'> {
  const last = parts.findLast((part) => part.kind === 'call')
  return end !== 'max_tokens' || !last || last.name === '' || callOf(last, end) ? {} : { cut_call: last.name }
}

function kept({ opaque }: { readonly opaque?: unknown }): { readonly opaque?: unknown } {
  return opaque === undefined ? {} : { opaque }
}

/**
 * The arguments of a call. Two habits of servers are undone: an empty object before the real one, and the object as
 * text inside JSON.
 */
function argumentsIn(text: string): { readonly ok: boolean; readonly value?: unknown } {
  const read = parsed(text)
  if (!read.ok) return text.startsWith('{}') ? parsed(text.slice(2)) : read
  const inner = typeof read.value === 'string' ? parsed(read.value) : undefined
  return inner !== undefined && typeof inner.value === 'object' && inner.value !== null ? inner : read
}

function parsed(text: string): { readonly ok: boolean; readonly value?: unknown } {
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false }
  }
}
