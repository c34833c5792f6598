/** A span of time in one or two units: `durationText(92_000)` → `1m 32s`. */
export function durationText(ms: number): string {
  if (ms < 95) return ms < 0.5 ? '0s' : `${Math.round(ms)}ms`
  if (ms < 9_950) return `${(ms / 1000).toFixed(1)}s`
  const whole = ms < 60_000 ? Math.round(ms / 1000) : Math.floor(ms / 1000)
  if (whole < 60) return `${whole}s`
  if (whole < 3600) return `${Math.floor(whole / 60)}m ${whole % 60}s`
  if (whole < 86_400) return `${Math.floor(whole / 3600)}h ${Math.floor((whole % 3600) / 60)}m`
  return `${Math.floor(whole / 86_400)}d ${Math.floor((whole % 86_400) / 3600)}h`
}

/** A number of tokens in at most five characters: `tokensText(12_345)` → `12.3k`. */
export function tokensText(tokens: number): string {
  if (tokens < 1000) return String(tokens)
  if (tokens < 999_950) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0)}k`
  return `${(tokens / 1_000_000).toFixed(1)}M`
}

/** Dollars, finer below one cent: `dollarsText(0.0042)` → `$0.0042`. */
export function dollarsText(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.01 ? 4 : 2)}`
}

/** Dollars of which the price may be unknown. */
export function costText(usd: number | null): string {
  return usd === null ? 'cost unknown' : dollarsText(usd)
}
