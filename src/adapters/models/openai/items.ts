import type { AnswerDelta } from '../../../protocol/models/model.ts'
import { argumentText, say, textFrom, type Part } from '../served/draft.ts'
import { openAiVendor, type OpenAiSeal } from './rounds.ts'

/** An item of an answer of the Responses API, as loosely as it must be taken. */
export interface Item {
  readonly id?: unknown
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

/** A piece of a message's content or of a summary. */
export interface Piece {
  readonly type?: unknown
  readonly text?: unknown
  readonly refusal?: unknown
  readonly annotations?: unknown
}

/** The part that an item begins as. */
export function begin(item: Item): Part {
  if (item.type === 'message') return { kind: 'text', text: '' }
  if (item.type === 'reasoning') return { kind: 'thinking', text: '' }
  if (item.type === 'function_call') {
    const args = argumentText(item.arguments)
    return {
      kind: 'call',
      id: textFrom(item.call_id),
      name: textFrom(item.name),
      args,
      early: args !== '',
      done: false,
    }
  }
  return { kind: 'foreign', raw: { ...item }, args: '', done: false }
}

const kinds = new Map<string, Part['kind']>([
  ['message', 'text'],
  ['reasoning', 'thinking'],
  ['function_call', 'call'],
])

/** Whether an item cannot be the one that a part began as. */
export function isOther(part: Part, { type }: Item): boolean {
  if (type === undefined) return false
  if (part.kind !== (kinds.get(type) ?? 'foreign')) return true
  return part.kind === 'foreign' && part.raw['type'] !== type
}

/** The finished item is the truth; what its deltas left out is said now. */
export function finish(part: Part, item: Item): AnswerDelta | undefined {
  if (part.kind === 'call') {
    part.args = argumentText(item.arguments) || part.args
    part.id = textFrom(item.call_id) || part.id
    part.name = textFrom(item.name) || part.name
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

/** The fields that the vendor wants back with a text or a call; most items have none. */
function sealOf(item: Item): OpenAiSeal | undefined {
  const { phase, caller, namespace, content } = item
  const cited = piecesIn(content).some(({ annotations }) => Array.isArray(annotations) && annotations.length > 0)
  const isPlain = [phase, caller, namespace].every((field) => field === undefined || field === null)
  return isPlain && !cited ? undefined : { vendor: openAiVendor, item: { ...item } }
}

/** True when a whole answer can add nothing to a part. */
export function isDone(part: Part): boolean {
  return part.kind === 'thinking' ? part.opaque !== undefined : part.kind === 'text' || part.done
}

function piecesIn(list: unknown): readonly Piece[] {
  return Array.isArray(list) ? list.filter((piece): piece is Piece => typeof piece === 'object' && piece !== null) : []
}

function saidIn({ content }: Item): string {
  const pieces = piecesIn(content).filter(({ type }) => type === 'output_text')
  return textFrom(content) + pieces.map(({ text }) => textFrom(text)).join('')
}

/** Servers that seal nothing show the thinking itself. */
function thoughtIn({ summary, content }: Item): string {
  const pieces = piecesIn(summary).length > 0 ? piecesIn(summary) : piecesIn(content)
  return pieces.map(({ text }) => textFrom(text)).join('\n\n')
}

export function refusalIn({ content }: Item): string {
  return piecesIn(content)
    .map(({ refusal }) => textFrom(refusal))
    .join('')
}
