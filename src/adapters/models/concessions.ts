/** What a server turned out not to know; remembered as long as the model is open. */
export type Conceded<Name extends string> = ReadonlySet<Name>

/**
 * Asks again without a feature when the server's refusal names it, once per feature. Servers that imitate an
 * API know parts of it, and say so only when asked.
 *
 * @param refusals what a refusal of each feature reads like
 */
export function withConcessions<Name extends string>(
  refusals: Readonly<Record<Name, RegExp>>,
): <Answer>(ask: (conceded: Conceded<Name>) => Promise<Answer>) => Promise<Answer> {
  const conceded = new Set<Name>()
  const names = Object.keys(refusals) as Name[]
  return async (ask) => {
    for (;;) {
      try {
        return await ask(conceded)
      } catch (error) {
        const name = isRefusal(error)
          ? names.find((key) => !conceded.has(key) && refusals[key].test(error.message))
          : undefined
        if (name === undefined) throw error
        conceded.add(name)
      }
    }
  }
}

function isRefusal(error: unknown): error is Error {
  return error instanceof Error && 'status' in error && (error.status === 400 || error.status === 422)
}
