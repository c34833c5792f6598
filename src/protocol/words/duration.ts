const unitMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** `durationMs('10m')` → 600000; the text has passed `durationSchema`. */
export function durationMs(text: string): number {
  const unit = text.replace(/^\d+/, '')
  return Number.parseInt(text, 10) * (unitMs[unit] ?? Number.NaN)
}

/** The longest time that a timer of Node counts, in milliseconds: close to 25 days. A longer one rings at once. */
export const longestTimer = 2 ** 31 - 1
