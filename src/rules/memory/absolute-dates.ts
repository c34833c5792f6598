const dayMs = 86_400_000
const days = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const
const units: Readonly<Record<string, number>> = { day: 1, week: 7, fortnight: 14 }
const near: Readonly<Record<string, number>> = { today: 0, tonight: 0, tomorrow: 1, yesterday: -1 }

const weekday = `(${days.join('|')})`
const relative = new RegExp(
  String.raw`\b(?:(today|tonight|tomorrow|yesterday)|(next|last|this)\s+${weekday}|in\s+(\d{1,3})\s+(day|week)s?|(\d{1,3})\s+(day|week)s?\s+ago|(next|last)\s+(week|fortnight))\b`,
  'gi',
)

/**
 * A text in which English words for a day that depends on today stand as the day itself: a memory is read weeks later.
 *
 * @param now Milliseconds since 1970; days are those of UTC.
 * @example absoluteDates('Freeze next Tuesday.', Date.UTC(2026, 10, 26)) // 'Freeze Tuesday 2026-12-01.'
 */
export function absoluteDates(text: string, now: number): string {
  return text.replaceAll(relative, (whole: string, ...found: readonly unknown[]) => {
    const [word, which, day, ahead, aheadUnit, ago, agoUnit, side, span] = found.map((each) =>
      typeof each === 'string' ? each.toLowerCase() : undefined,
    )
    if (word !== undefined) return isoDay(now + (near[word] ?? 0) * dayMs)
    if (which !== undefined && day !== undefined) return `${titled(day)} ${isoDay(weekdayFrom(now, which, day))}`
    if (ahead !== undefined) return `on ${isoDay(now + Number(ahead) * (units[aheadUnit ?? ''] ?? 0) * dayMs)}`
    if (ago !== undefined) return `on ${isoDay(now - Number(ago) * (units[agoUnit ?? ''] ?? 0) * dayMs)}`
    if (side === undefined || span === undefined) return whole
    return `the ${span} of ${isoDay(now + (side === 'next' ? 1 : -1) * (units[span] ?? 0) * dayMs)}`
  })
}

/** `isoDay(Date.UTC(2026, 10, 26))` → `2026-11-26` */
export function isoDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** `this Friday` may be today; `next` and `last` never are. */
function weekdayFrom(now: number, which: string, day: string): number {
  const ahead = (days.findIndex((name) => name === day) - new Date(now).getUTCDay() + 7) % 7
  if (which === 'last') return now + (ahead === 0 ? -7 : ahead - 7) * dayMs
  return now + (ahead === 0 && which === 'next' ? 7 : ahead) * dayMs
}

function titled(word: string): string {
  return `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
}
