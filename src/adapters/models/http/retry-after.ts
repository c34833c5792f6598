/** Headers as they are read: by their names in small letters. */
export type HeadersRead = ReadonlyMap<string, string>

/**
 * How long a server asks to be left alone: `retry-after-ms`, `retry-after` in seconds or as a date, words like "try
 * again in 6m30s", or when the limit that is used up begins anew. Dates are read by the server's own clock, the `date`
 * header; one that has passed asks for nothing: the caller's own pause applies.
 *
 * @returns milliseconds
 */
export function retryAfterMs(headers: HeadersRead | undefined, message: string): number | undefined {
  const now = Date.parse(headers?.get('date') ?? '')
  const candidates = [
    Number.parseFloat(headers?.get('retry-after-ms') ?? ''),
    momentOrWait(headers?.get('retry-after') ?? '', now),
    durationIn(inWords.exec(message)?.[1] ?? ''),
    Math.max(...usedUp(headers).map((reset) => momentOrWait(reset, now))),
  ]
  return candidates.find((wait) => Number.isFinite(wait) && wait > 0)
}

/** The moment that a server without a clock of its own names, in milliseconds since 1970. */
export function retryAt(headers: HeadersRead | undefined): number | undefined {
  const moment = Date.parse(headers?.get('retry-after') ?? '')
  return headers?.has('date') || !Number.isFinite(moment) || moment < 1e11 ? undefined : moment
}

/** "try again in 6m30s", "retry after 26 seconds", "wait 42 seconds", and Google's `"retryDelay":"38s"`. */
const inWords = /(?:try again (?:in|after) |retry (?:in|after) |\bwait |"retryDelay":")(\d[\d\s.,a-z]*)/i

/** When those limits begin anew of which nothing is left: `x-ratelimit-reset-tokens`, `anthropic-ratelimit-tokens-reset` … */
function usedUp(headers: HeadersRead | undefined): readonly string[] {
  return [...(headers ?? [])].flatMap(([name, left]) => {
    if (!/ratelimit.*remaining/.test(name) || !(Number(left) <= 0)) return []
    return headers?.get(name.replace('remaining', 'reset')) ?? []
  })
}

/** A date, a moment in seconds or milliseconds since 1970, or a wait: seconds where no unit is given. */
function momentOrWait(text: string, now: number): number {
  if (!/^\s*[\d.]+\s*$/.test(text)) return Number.isFinite(durationIn(text)) ? durationIn(text) : Date.parse(text) - now
  const value = Number(text)
  if (value < 1e8) return value * 1_000
  return (value < 1e11 ? value * 1_000 : value) - now
}

const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `1.5s`, `6m30s`, `2 hours`: the sum of its parts; not a number where it does not begin with one. */
function durationIn(text: string): number {
  let rest = text.trim()
  let total = Number.NaN
  for (;;) {
    const [part, amount = '', word = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)[\s,]*/i.exec(rest) ?? []
    const unit = unitMs[/^m(?:s|illi)/i.test(word) ? 'ms' : word.slice(0, 1).toLowerCase()]
    if (part === undefined || unit === undefined) return total
    total = (Number.isNaN(total) ? 0 : total) + Number.parseFloat(amount) * unit
    rest = rest.slice(part.length)
  }
}
