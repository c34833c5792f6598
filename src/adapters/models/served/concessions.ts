import type { AssistantMessage } from '../../../protocol/conversation/message.ts'

/** One request to a server, as often as it takes. */
interface Attempted<Name extends string, Answer> {
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
  const features = Object.keys(refusals) as Name[]
  const concede = (feature: Name, reason: string, tell: (change: Concession) => void): void => {
    const before = rests.get(feature)
    const length = before ? before.length * 2 : firstRest
    rests.set(feature, { left: length, length })
    const name = names[feature]
    if (name !== undefined && !before) tell({ feature: name, back: false, reason })
  }
  const isTried = (feature: Name): boolean => names[feature] !== undefined && (rests.get(feature)?.left ?? 1) <= 0
  return async ({ write, send, tell }) => {
    for (const rest of rests.values()) rest.left -= 1
    const tried = new Set([...rests.keys()].filter(isTried))
    for (;;) {
      const before = new Set([...rests.keys()].filter((feature) => !tried.has(feature)))
      try {
        const answer = await send(write(before))
        for (const feature of tried) {
          if (write(new Set([...before, feature])) === write(before)) continue
          rests.delete(feature)
          tell({ feature: names[feature] ?? feature, back: true, reason: 'the server takes it again' })
        }
        return answer
      } catch (error) {
        if (!isRefusal(error)) throw error
        const { message } = error
        const next = features.find(
          (feature) =>
            !before.has(feature) &&
            refusals[feature].test(message) &&
            write(new Set([...before, feature])) !== write(before),
        )
        if (next === undefined) throw error
        tried.delete(next)
        concede(next, message, tell)
      }
    }
  }
}

/** OpenRouter says 404 where no server behind it can do what was asked. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && [400, 404, 413, 422].includes(Number(error.status))
}
