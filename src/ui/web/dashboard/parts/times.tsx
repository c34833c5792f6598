import { localTime } from '../../../../protocol/words/local-time.ts'

/** A time of day, and the day for whoever asks. */
export function ClockTime({ at }: { readonly at: number }) {
  const { day, clock, zone } = localTime(at)
  return <time title={`${day} ${clock} ${zone}`}>{clock}</time>
}

/** A day and a time of day in minutes. */
export function DayTime({ at }: { readonly at: number }) {
  const { day, clock, zone } = localTime(at)
  return (
    <time title={`${day} ${clock} ${zone}`}>
      {day} {clock.slice(0, 5)}
    </time>
  )
}
