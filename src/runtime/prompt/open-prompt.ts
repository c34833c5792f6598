import { contentHash } from '../../adapters/fs/content-hash.ts'
import { userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { Fact, FactOf } from '../../protocol/facts/fact.ts'
import {
  contextText,
  driftChars,
  movedSections,
  systemText,
  type CachedSection,
  type PromptSection,
  type SectionPrint,
  type VolatileSection,
} from '../../rules/prompt/section.ts'

/** The material of an agent's prompt. */
export interface PromptPlan {
  readonly cached: readonly CachedSection[]
  /** The volatile sections as they are now; asked at boundaries alone. */
  readonly volatile: () => readonly VolatileSection[]
  note(fact: Fact): void
}

/** An agent's prompt: the system text of its whole life, and the context of the present epoch. */
export interface AgentPrompt {
  readonly system: string
  /** Characters of the context, as the latest question had it. */
  chars(): number
  /** The fingerprint of the epoch that a life begins with. */
  print(): PromptPrint
  /** The conversation with the context in its first user message. */
  framed(messages: readonly Message[]): readonly Message[]
}

/** The fingerprint of a prompt: what it is made of, in order. */
export type PromptPrint = NonNullable<FactOf<'member.started'>['prompt']>

/**
 * Opens the prompt of one life of an agent.
 *
 * 1. An epoch is what the sections said at its beginning; nothing of it changes before the next boundary.
 * 2. Boundaries are the first question, words that somebody said to the agent, and a conversation that was made shorter.
 *    In the middle of its own calls nothing moves.
 * 3. A boundary at which something moved begins an epoch, and says which sections moved and how much is read anew. A
 *    new date alone waits for other company, and so does memory while the conversation stays as it is: the agent itself has
 *    most of it, and can recall the rest.
 */
export function openPrompt({ cached, volatile, note }: PromptPlan): AgentPrompt {
  const framed = framing()
  let epoch = {
    number: 0,
    sections: [] as readonly PromptSection[],
    context: '',
    prints: [] as readonly SectionPrint[],
  }
  let source: readonly Message[] | null = null
  const look = (isShorter = false): void => {
    const sections = [...cached, ...volatile()]
    const prints = printsOf(sections)
    const moved = movedSections(epoch.prints, prints)
    const waits = (name: string): boolean => name === 'date' || (name === 'memory' && !isShorter)
    if (epoch.number > 0 && moved.every(waits)) return
    epoch = { number: epoch.number + 1, sections, context: contextText(sections), prints }
    if (epoch.number === 1) return
    // Before the first question nothing of it was read by anybody.
    const chars = source === null ? 0 : driftChars(prints, moved)
    note({ type: 'prompt.changed', epoch: epoch.number, fingerprint: fingerprintOf(prints), moved: [...moved], chars })
  }
  return {
    system: systemText(cached),
    chars: () => epoch.context.length,
    print() {
      if (epoch.number === 0) look()
      const { prints } = epoch
      return { fingerprint: fingerprintOf(prints), sections: [...prints] }
    },
    framed(messages) {
      const isShorter = source !== null && source !== messages
      if (epoch.number === 0 || isShorter || messages.at(-1)?.role === 'user') look(isShorter)
      source = messages
      return framed(epoch.context, messages)
    },
  }
}

/** The fingerprints of sections that say something. */
export function printsOf(sections: readonly PromptSection[]): readonly SectionPrint[] {
  return sections
    .filter(({ text }) => text !== '')
    .map(({ name, zone, text }) => ({ name, zone, sha256: contentHash(text), chars: text.length }))
}

/** One SHA-256 over all sections: `fingerprintOf(printsOf(sections))`. */
export function fingerprintOf(prints: readonly SectionPrint[]): string {
  return contentHash(prints.map(({ name, sha256 }) => `${name} ${sha256}`).join('\n'))
}

/** Puts a context before a conversation. While both stay the same, the array is the same too and only grows. */
function framing(): (context: string, messages: readonly Message[]) => readonly Message[] {
  let made = { context: '', source: null as readonly Message[] | null, out: [] as Message[], taken: 0 }
  return (context, messages) => {
    if (context === '') return messages
    if (made.source !== messages || made.context !== context || made.taken === 0) {
      const first = messages[0]
      const own = first?.role === 'user'
      const head: Message = own
        ? { ...first, content: [{ type: 'text', text: context }, ...first.content] }
        : userMessage(context, 'runtime')
      made = { context, source: messages, out: [head], taken: own ? 1 : 0 }
    }
    for (; made.taken < messages.length; made.taken += 1) {
      const message = messages[made.taken]
      if (message) made.out.push(message)
    }
    return made.out
  }
}
