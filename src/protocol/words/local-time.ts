/** The parts of a moment, as a clock on the wall shows them. */
interface LocalTime {
  readonly day: string
  readonly clock: string
  /** The offset from UTC at that moment. */
  readonly zone: string
}

/**
 * The local time of a moment; a number that is no moment gives question marks.
 *
 * @param at milliseconds since the Unix epoch
 * @param offset minutes before UTC; default: those of this machine at that moment (`TZ`)
 * @example localTime(Date.UTC(2026, 2, 1, 14, 5), 60) // { day: '2026-03-01', clock: '15:05:00', zone: '+01:00' }
 */
export function localTime(at: number, offset = -new Date(at).getTimezoneOffset()): LocalTime {
  const local = new Date(at + offset * 60_000)
  if (Number.isNaN(local.getTime())) return { day: '?', clock: '?', zone: '?' }
  const text = local.toISOString()
  return { day: text.slice(0, -14), clock: text.slice(-13, -5), zone: zoneText(offset) }
}

/**
 * A moment as every text for people names it. Machines get milliseconds or ISO 8601 in UTC.
 *
 * @param at milliseconds since the Unix epoch
 * @example momentText(Date.UTC(2026, 2, 1, 14, 5)) // '2026-03-01 15:05:00 +01:00'
 */
export function momentText(at: number): string {
  const { day, clock, zone } = localTime(at)
  return `${day} ${clock} ${zone}`
}

function zoneText(offset: number): string {
  if (offset === 0) return 'UTC'
  const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60]
  return [offset < 0 ? '-' : '+', String(hours).padStart(2, '0'), ':', String(minutes).padStart(2, '0')].join('')
}
