import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Message, Usage } from '../../protocol/conversation/message.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { usualAnswer, type ModelSizes } from './answer-length.ts'
import { windowIn } from './window-words.ts'

interface Count {
  readonly tokens: number
  readonly chars: number
}

/**
 * The tokens of a conversation, estimated from what its models counted. Plain data, kept up by the fold over the journal.
 *
 * 1. What a model counted at its latest answer holds; only what came since is guessed at.
 * 2. The guess follows the counts: between two of them the conversation grew by so many tokens and characters.
 * 3. A window is what its server described or a refusal named; where it named none, a little less than what was refused. An answer to a longer
 *    conversation proves it wrong.
 */
export interface Gauge {
  /** Characters of the conversation as it is now. */
  chars: number
  /** The model that was asked last. */
  asked: string
  counted: Count | null
  /** The first count since the conversation was made shorter. */
  first: Count | null
  tokensPerChar: number
  readonly windows: Record<string, number>
  /** Windows as servers described them. */
  readonly described: Record<string, number>
}

/** As many characters as an image is worth. */
const imageChars = 4_800
const usualTokensPerChar = 1 / 3
/** The range that texts of people and programs come to. */
const [fewest, most] = [0.15, 1]
/** Characters between two counts from which the difference says something. */
const telling = 4_000
/** A refusal that names no window teaches one this much smaller than what was refused. */
const lesser = 0.9
const leastLearned = 2_000

/** The gauge of an empty conversation. */
export function emptyGauge(): Gauge {
  return {
    chars: 0,
    asked: '',
    counted: null,
    first: null,
    tokensPerChar: usualTokensPerChar,
    windows: {},
    described: {},
  }
}

const sizes = new WeakMap<Message, number>()

/** The characters that a message takes of a request; a message never changes, so each is measured once. */
export function messageChars(message: Message): number {
  const known = sizes.get(message)
  if (known !== undefined) return known
  const chars = measured(message)
  sizes.set(message, chars)
  return chars
}

function measured(message: Message): number {
  if (message.role === 'tool') return message.results.reduce((sum, { content }) => sum + blocksSize(content), 0)
  return blocksSize(message.content)
}

interface AnyBlock {
  readonly type: string
  readonly text?: string
}

function blocksSize(blocks: readonly AnyBlock[]): number {
  return blocks.reduce((sum, block) => sum + blockChars(block), 0)
}

/** The characters of one block. */
export function blockChars(block: AnyBlock): number {
  if (block.type === 'text') return (block.text ?? '').length
  // A vendor reads a page of a document as its text and as an image.
  if (block.type === 'document') return (block.text ?? '').length + imageChars
  return block.type === 'image' ? imageChars : JSON.stringify(block).length
}

/** Takes in what an entry tells of the conversation's length: counts, and refusals. */
export function weigh(gauge: Gauge, entry: Entry): void {
  if (entry.type === 'model.requested') gauge.asked = entry.model
  else if (entry.type === 'model.described') {
    gauge.described[entry.model] = entry.window
    gauge.windows[entry.model] = entry.window
  } else if (entry.type === 'model.counted') noteCounted(gauge, entry.tokens)
  else if (entry.type === 'model.retried' || entry.type === 'model.fell_back') noteRefusal(gauge, entry.failure)
  else if (entry.type === 'model.settled') {
    if (entry.failure === undefined) noteCount(gauge, entry.usage)
    else noteRefusal(gauge, entry.failure)
  }
}

/** Takes in the count of an answer that stands in the conversation already. */
function noteCount(gauge: Gauge, usage: Usage): void {
  const { input, cache_read, cache_write, output, reasoning = 0 } = usage
  const asked = input + cache_read + cache_write
  if (asked === 0) return
  if ((gauge.windows[gauge.asked] ?? Infinity) < asked) delete gauge.windows[gauge.asked]
  noteCounted(gauge, asked + Math.max(0, output - reasoning))
}

function noteCounted(gauge: Gauge, tokens: number): void {
  const counted = { tokens, chars: gauge.chars }
  gauge.counted = counted
  gauge.first ??= counted
  const [grown, more] = [counted.chars - gauge.first.chars, counted.tokens - gauge.first.tokens]
  if (grown >= telling) gauge.tokensPerChar = Math.min(most, Math.max(fewest, more / grown))
}

/** Takes in the words with which a request was refused. */
function noteRefusal(gauge: Gauge, { code, message }: Failure): void {
  if (code !== 'context_exceeded') return
  const named = windowIn(message)
  const known = gauge.windows[gauge.asked] ?? Infinity
  const learned = named ?? Math.min(known, Math.floor(tokensIn(gauge) * lesser))
  if (learned >= leastLearned || named !== null) gauge.windows[gauge.asked] = learned
}

/** The conversation was made shorter: the count of before holds for what is left of it. */
export function noteCut(gauge: Gauge, chars: number): void {
  const tokens = Math.max(0, tokensIn({ ...gauge, chars }))
  gauge.chars = chars
  gauge.counted = gauge.counted === null ? null : { tokens, chars }
  gauge.first = null
}

/**
 * The tokens of a conversation.
 * @param fixed characters of the system prompt and the tools, which no model has counted yet
 */
export function tokensIn(
  { counted, chars, tokensPerChar }: Pick<Gauge, 'counted' | 'chars' | 'tokensPerChar'>,
  fixed = 0,
): number {
  if (counted === null) return Math.ceil((chars + fixed) * tokensPerChar)
  return Math.max(0, Math.ceil(counted.tokens + (chars - counted.chars) * tokensPerChar))
}

/** The part of these tokens that no model has counted. */
export function guessedIn(gauge: Pick<Gauge, 'counted' | 'chars' | 'tokensPerChar'>, fixed = 0): number {
  return Math.max(0, tokensIn(gauge, fixed) - (gauge.counted?.tokens ?? 0))
}

/** A guess may be wrong by this share of itself. */
const doubt = 0.3

/**
 * Whether a guess is so close to a bound of a window that a count may say otherwise: the start of compaction, its
 * emergency, or the room for an answer.
 * @example isInDoubt({ tokens: 130_000, guessed: 20_000 }, { window: 200_000, max_output: 64_000 }) // true
 */
export function isInDoubt(
  { tokens, guessed }: { readonly tokens: number; readonly guessed: number },
  sizes: ModelSizes,
  maxTokens?: number,
): boolean {
  const effective = effectiveWindow(sizes, maxTokens)
  if (effective === null || sizes.window === null) return false
  const answer = Math.min(maxTokens ?? usualAnswer, sizes.max_output ?? usualAnswer)
  const bounds = [effective * startsAt, effective * emergencyAt, sizes.window - answer]
  return bounds.some((bound) => Math.abs(tokens - bound) <= guessed * doubt)
}

/** The sizes of a model whose window refusals have named, where that is less. */
export function learnedSizes(sizes: ModelSizes, window = Infinity): ModelSizes {
  return window < (sizes.window ?? Infinity) ? { ...sizes, window } : sizes
}

/** Compaction starts at the first share of the effective window; at the second it does without a model call. */
const [startsAt, emergencyAt] = [0.8, 0.95]
/** An answer is set aside at most this share of the window. */
const mostReserved = 0.25

/**
 * The tokens that a request may hold: the window without what the answer may take.
 * @returns null where nobody knows the window
 * @example effectiveWindow({ window: 200_000, max_output: 64_000 }) // 168_000
 */
export function effectiveWindow(sizes: ModelSizes, maxTokens?: number): number | null {
  const { window, max_output } = sizes
  if (window === null) return null
  const answer = Math.min(maxTokens ?? usualAnswer, max_output ?? Infinity, Math.floor(window * mostReserved))
  return window - answer
}

export type Fullness = 'fits' | 'full' | 'overfull'

/** How full a window is. @example fullnessOf(140_000, 168_000) // 'full' */
export function fullnessOf(tokens: number, effective: number | null): Fullness {
  if (effective === null || tokens < effective * startsAt) return 'fits'
  return tokens < effective * emergencyAt ? 'full' : 'overfull'
}

/** A window smaller than this holds little beside the prompt and the tools of an agent. */
const smallWindow = 16_000

/** The warning of a window that is small for the work of an agent, or null. */
export function smallWindowText(
  model: string,
  { window, trained, widen }: { window: number; trained?: number; widen?: string | undefined },
): string | null {
  if (window >= smallWindow || window >= (trained ?? Infinity)) return null
  return `${model} runs with a window of ${window} tokens, which is little for an agent${widen === undefined ? '' : `: ${widen}`}`
}
