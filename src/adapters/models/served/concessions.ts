import type { AssistantMessage } from '../../../protocol/conversation/message.ts'
import { errorText } from '../../../protocol/words/error-text.ts'

/** One request to a server, as often as it takes. */
interface Attempted<Name extends string, Answer> {
  /** Makes what a request without these features needs. */
  prepare(conceded: ReadonlySet<Name>): Promise<void>
  /** The request without what was conceded. */
  write(conceded: ReadonlySet<Name>): string
  send(text: string): Promise<Answer>
  /** Hears of what people should know: a feature that is given up, or asked for again. */
  tell(change: Concession): void
}

export type Concession = NonNullable<AssistantMessage['conceded']>[number]

/** How many requests a feature is left out of before it is tried again; twice as many each time. */
const firstRest = 50

interface Rest {
  left: number
  length: number
}

/**
 * Asks again without a feature when the server's refusal names it, once per feature. Servers that imitate an
 * API know parts of it, and say so only when asked. What was conceded is remembered as long as the model is open; what
 * makes an answer poorer is told, and tried again from time to time.
 *
 * @param refusals what a refusal of each feature reads like; the first that matches and makes a difference counts
 * @param names what people call the features that they miss
 */
export function withConcessions<Name extends string>(
  refusals: Readonly<Record<Name, RegExp>>,
  names: Readonly<Partial<Record<Name, string>>>,
): <Answer>(attempted: Attempted<Name, Answer>) => Promise<Answer> {
  const rests = new Map<Name, Rest>()
  const isTried = (feature: Name): boolean => names[feature] !== undefined && (rests.get(feature)?.left ?? 1) <= 0
  const takeBack = (feature: Name): Concession => {
    rests.delete(feature)
    return { feature: names[feature] ?? feature, back: true, reason: 'the server takes it again' }
  }
  return async ({ prepare, write, send, tell }) => {
    for (const rest of rests.values()) rest.left -= 1
    const tried = new Set([...rests.keys()].filter(isTried))
    for (;;) {
      const before = new Set([...rests.keys()].filter((feature) => !tried.has(feature)))
      const matters = (feature: Name): boolean => write(new Set([...before, feature])) !== write(before)
      await prepare(before)
      try {
        const answer = await send(write(before))
        for (const feature of [...tried].filter(matters)) tell(takeBack(feature))
        return answer
      } catch (error) {
        const next = refusedBy(error, refusals).find((feature) => !before.has(feature) && matters(feature))
        if (next === undefined) throw error
        tried.delete(next)
        const known = rests.get(next)
        const length = known ? known.length * 2 : firstRest
        rests.set(next, { left: length, length })
        const name = names[next]
        if (name !== undefined && !known) tell({ feature: name, back: false, reason: errorText(error) })
      }
    }
  }
}

/** The features that a refusal may be about. */
function refusedBy<Name extends string>(error: unknown, refusals: Readonly<Record<Name, RegExp>>): readonly Name[] {
  if (!isRefusal(error)) return []
  return (Object.keys(refusals) as Name[]).filter((feature) => refusals[feature].test(error.message))
}

/**
 * OpenRouter says 404 where no server behind it can do what was asked; llama.cpp says 500 when it was started without what
 * calls need.
 */
function isRefusal(error: unknown): error is Error {
  if (!(error instanceof Error) || !('status' in error)) return false
  const status = Number(error.status)
  return [400, 404, 413, 422].includes(status) || (status === 500 && error.message.includes('--jinja'))
}
