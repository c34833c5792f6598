/** One request to a server, as often as it takes. */
interface Attempted<Name extends string, Answer> {
  /** The request without what was conceded. */
  write(conceded: ReadonlySet<Name>): string
  send(text: string): Promise<Answer>
}

/**
 * Asks again without a feature when the server's refusal names it, once per feature. Servers that imitate an
 * API know parts of it, and say so only when asked. What was conceded is remembered as long as the model is open.
 *
 * @param refusals what a refusal of each feature reads like; the first that matches and makes a difference counts
 */
export function withConcessions<Name extends string>(
  refusals: Readonly<Record<Name, RegExp>>,
): <Answer>(attempted: Attempted<Name, Answer>) => Promise<Answer> {
  let conceded: ReadonlySet<Name> = new Set()
  const names = Object.keys(refusals) as Name[]
  return async ({ write, send }) => {
    for (;;) {
      const before = conceded
      try {
        return await send(write(before))
      } catch (error) {
        if (!isRefusal(error)) throw error
        const { message } = error
        const next = names
          .filter((name) => !before.has(name) && refusals[name].test(message))
          .map((name) => new Set([...before, name]))
          .find((more) => write(more) !== write(before))
        if (next === undefined) throw error
        conceded = new Set([...conceded, ...next])
      }
    }
  }
}

/** OpenRouter says 404 where no server behind it can do what was asked. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && [400, 404, 422].includes(Number(error.status))
}
