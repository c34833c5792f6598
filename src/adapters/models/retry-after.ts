const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

/**
 * How long a server asks to be left alone: `retry-after-ms`, `retry-after` in seconds or as a date, or the
 * words "try again in 1.5s". A date is read by the server's own clock, the `date` header; one that has passed
 * asks for nothing: the caller's own pause applies.
 */
export function retryAfterMs(headers: Headers | undefined, message: string): number | undefined {
  const candidates = [
    Number.parseFloat(headers?.get('retry-after-ms') ?? ''),
    secondsOrDate(headers?.get('retry-after') ?? '', Date.parse(headers?.get('date') ?? '')),
    inWords(message),
  ]
  return candidates.find((wait) => Number.isFinite(wait) && wait > 0)
}

function secondsOrDate(text: string, now: number): number {
  return /^\s*\d/.test(text) ? Number.parseFloat(text) * 1_000 : Date.parse(text) - now
}

function inWords(message: string): number {
  const [, amount = '', unit = ''] = /try again in (\d+(?:\.\d+)?)\s*(ms|s|m)/i.exec(message) ?? []
  return Number.parseFloat(amount) * (unitMs[unit.toLowerCase()] ?? Number.NaN)
}
