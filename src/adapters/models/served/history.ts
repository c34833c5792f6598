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
  /** How many messages `text` stands for. */
  count: number
  /** The last of them. */
  last: Message | undefined
  text: string
  /** How many rounds were added to `text` since it was one piece. */
  loose: number
}

/** V8 keeps a text that was added to as a tree of its pieces, which costs memory, and time whenever it is sent. */
const mostLoose = 64

/**
 * Writes a conversation as the JSON items of a request. What lies before the last round is written once and
 * kept as text; each turn adds its own. An array that was given once may have grown when it is given again, no more.
 *
 * @returns the items, joined by commas
 */
function historyWriter(dialect: Dialect): (messages: readonly Message[]) => string {
  const kept = new WeakMap<readonly Message[], Sealed>()
  return (messages) => {
    const sealed = sealedFor(kept, messages)
    for (;;) {
      const { round, end } = nextRound(dialect, messages, sealed.count)
      const last = end >= messages.length
      const text = spelled(dialect.spell(round, { first: sealed.count === 0, last }))
      if (last) return joined(sealed.text, text)
      sealed.text = joined(sealed.text, text)
      sealed.loose += 1
      if (sealed.loose === mostLoose) inOnePiece(sealed)
      sealed.count = end
      sealed.last = messages[end - 1]
    }
  }
}

/** Writers of one API: what a server refused is spelled otherwise from then on. */
export function writersBySpelling<Spelling extends object>(
  dialectOf: (spelling: Spelling) => Dialect,
): (messages: readonly Message[], spelling: Spelling) => string {
  const writers = new Map<string, (messages: readonly Message[]) => string>()
  return (messages, spelling) => {
    const key = Object.values(spelling).join()
    const write = writers.get(key) ?? historyWriter(dialectOf(spelling))
    writers.set(key, write)
    return write(messages)
  }
}

function sealedFor(kept: WeakMap<readonly Message[], Sealed>, messages: readonly Message[]): Sealed {
  const known = kept.get(messages)
  if (known && known.last === messages[known.count - 1]) return known
  const fresh: Sealed = { count: 0, last: undefined, text: '', loose: 0 }
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
