import { useEffect, useState } from 'preact/hooks'
import { errorText } from '../../../../protocol/words/error-text.ts'
import { getJson } from './server.ts'

interface Asked<Answer> {
  /** The latest answer; a failure later does not take the answer away. */
  readonly answer: Answer | null
  /** The words of the latest failure; null when the latest answer came. */
  readonly trouble: string | null
}

interface Asking {
  /** Asks again when this changes. */
  readonly again?: unknown
  /** Milliseconds before a question is asked again. */
  readonly afterMs?: number
  /** Milliseconds from one question to the next; once where there are none. */
  readonly everyMs?: number
}

/**
 * Asks the server for something and shows the latest answer.
 * @param path null asks nothing
 * @example const { answer, trouble } = useAnswer<{ readonly charts: readonly Chart[] }>('/api/charts')
 */
export function useAnswer<Answer>(path: string | null, { again, afterMs = 0, everyMs }: Asking = {}): Asked<Answer> {
  const [heard, setHeard] = useState<Asked<Answer> & { readonly path: string | null }>({ path, ...nothing })
  const last = heard.path === path ? heard : { path, ...nothing }
  useEffect(() => {
    if (path === null) return undefined
    const stop = new AbortController()
    const ask = (): void =>
      void getJson<Answer>(path, stop.signal).then(
        (answer) => setHeard({ path, answer, trouble: null }),
        (error: unknown) => {
          if (!stop.signal.aborted)
            setHeard(({ answer, path: of }) => ({ path, answer: of === path ? answer : null, trouble: wordsOf(error) }))
        },
      )
    const first = setTimeout(ask, last.answer === null ? 0 : afterMs)
    const next = everyMs === undefined ? undefined : setInterval(ask, everyMs)
    return () => {
      clearTimeout(first)
      clearInterval(next)
      stop.abort()
    }
  }, [path, again])
  return last
}

const nothing = { answer: null, trouble: null }

function wordsOf(error: unknown): string {
  return `The server does not answer: ${errorText(error)}`
}
