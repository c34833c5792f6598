import type { AssistantMessage, Message, ToolMessage, UserMessage } from '../../protocol/message.ts'

/** What the model said and what was said to it until it spoke again. The first round may begin with the user. */
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
  /** The messages that `text` stands for; compared one by one, so that an edited history is never sent stale. */
  readonly seen: Message[]
  text: string
}

/**
 * Writes a conversation as the JSON items of a request. What lies before the last round is written once and
 * kept as text; each turn adds its own.
 *
 * @returns the items, joined by commas
 */
export function historyWriter(dialect: Dialect): (messages: readonly Message[]) => string {
  const kept = new WeakMap<readonly Message[], Sealed>()
  return (messages) => {
    const sealed = sealedFor(kept, messages)
    let from = sealed.seen.length
    for (;;) {
      const { round, end } = nextRound(dialect, messages, from)
      const last = end >= messages.length
      const text = spelled(dialect.spell(round, { first: from === 0, last }))
      if (last) return joined(sealed.text, text)
      sealed.text = joined(sealed.text, text)
      for (; from < end; from += 1) sealed.seen.push(messages[from] as Message)
    }
  }
}

function sealedFor(kept: WeakMap<readonly Message[], Sealed>, messages: readonly Message[]): Sealed {
  const known = kept.get(messages)
  if (known?.seen.every((message, index) => message === messages[index])) return known
  const fresh: Sealed = { seen: [], text: '' }
  kept.set(messages, fresh)
  return fresh
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
