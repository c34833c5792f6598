import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../../protocol/conversation/message.ts'

/**
 * One turn of the model with the replies to it, up to the model's next turn. The first round may begin with the user.
 */
export interface Round {
  readonly said: readonly AssistantMessage[]
  readonly replies: readonly (ToolMessage | UserMessage)[]
}

export interface RoundPlace {
  readonly first: boolean
  /** The request ends here: what follows is the model's. */
  readonly last: boolean
}

/** One vendor's spelling of a round. */
export interface Dialect {
  /** Whether anything of this message can be sent; what cannot is passed over. */
  speaks(message: AssistantMessage): boolean
  spell(round: Round, place: RoundPlace): readonly unknown[]
}

interface Sealed {
  /** How many messages `text` and `tail` stand for. */
  count: number
  /** The last of them. */
  last: Message | undefined
  text: string
  /** The last round of these, which has a mark while it is the last but one of the request. */
  tail: Spelled
  /** How many rounds were added to `text` since it was one piece. */
  loose: number
}

/** A round as text. A mark can stand at its end, when others have the last word in it. */
interface Spelled {
  readonly text: string
  readonly markable: boolean
}

const nothing: Spelled = { text: '', markable: false }

/** V8 keeps a text that was added to as a tree of its pieces, which costs memory, and time whenever it is sent. */
const mostLoose = 64

/** @param mark fields for the last block of this request and of the one before: `,"cache_control":{…}` */
type Writer = (messages: readonly Message[], mark: string) => string

/**
 * Writes a conversation as the JSON items of a request. What lies before the last round is written once and
 * kept as text; each turn adds its own. An array that was given once may have grown when it is given again, no more.
 *
 * @returns the items, joined by commas
 */
function historyWriter(dialect: Dialect): Writer {
  const kept = new WeakMap<readonly Message[], Sealed>()
  return (messages, mark) => {
    const sealed = sealedFor(kept, messages)
    for (;;) {
      const { round, end } = nextRound(dialect, messages, sealed.count)
      const last = end >= messages.length
      const text = spelled(dialect.spell(round, { first: sealed.count === 0, last }))
      const told = { text, markable: round.replies.length > 0 }
      if (last) return joined(joined(sealed.text, marked(sealed.tail, mark)), marked(told, mark))
      sealed.text = joined(sealed.text, sealed.tail.text)
      sealed.tail = told
      sealed.loose += 1
      if (sealed.loose === mostLoose) inOnePiece(sealed)
      sealed.count = end
      sealed.last = messages[end - 1]
    }
  }
}

/** The end of the last block of an item with blocks. */
const blockEnd = '}]}'

/** The round with the mark in its last block. */
function marked({ text, markable }: Spelled, mark: string): string {
  if (!markable || mark === '' || !text.endsWith(blockEnd)) return text
  return text.slice(0, -blockEnd.length) + mark + blockEnd
}

/** Writers of one API: what a server refused is spelled otherwise from then on. */
export function writersBySpelling<Spelling extends object>(
  dialectOf: (spelling: Spelling) => Dialect,
): (messages: readonly Message[], spelling: Spelling, mark?: string) => string {
  const writers = new Map<string, Writer>()
  return (messages, spelling, mark = '') => {
    const key = Object.values(spelling).join()
    const write = writers.get(key) ?? historyWriter(dialectOf(spelling))
    writers.set(key, write)
    return write(messages, mark)
  }
}

function sealedFor(kept: WeakMap<readonly Message[], Sealed>, messages: readonly Message[]): Sealed {
  const known = kept.get(messages)
  if (known && known.last === messages[known.count - 1]) return known
  const fresh: Sealed = { count: 0, last: undefined, text: '', tail: nothing, loose: 0 }
  kept.set(messages, fresh)
  return fresh
}

function inOnePiece(sealed: Sealed): void {
  sealed.text = Buffer.from(sealed.text).toString()
  sealed.loose = 0
}

/** A round ends where the model speaks again. */
function nextRound(dialect: Dialect, messages: readonly Message[], from: number): { round: Round; end: number } {
  const said: AssistantMessage[] = []
  const replies: (ToolMessage | UserMessage)[] = []
  let end = from
  for (; end < messages.length; end += 1) {
    const message = messages[end] as Message
    if (message.role !== 'assistant') replies.push(message)
    else if (dialect.speaks(message)) {
      if (replies.length > 0) break
      said.push(message)
    }
  }
  return { round: { said, replies }, end }
}

function spelled(items: readonly unknown[]): string {
  return items.map(wellFormed).join(',')
}

const loneSurrogate = /\\ud[89a-f]/i

/** JSON that servers accept: half of a surrogate pair, as a cut text may end in, is refused by them. */
export function wellFormed(value: unknown): string {
  const text = JSON.stringify(value)
  if (!loneSurrogate.test(text)) return text
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))
}

function joined(before: string, after: string): string {
  if (before === '') return after
  return after === '' ? before : `${before},${after}`
}
