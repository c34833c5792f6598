/** Where waiting comes from. */
export interface Timers {
  set(act: () => void, ms: number): unknown
  clear(timer: unknown): void
}

/** Between two looks where nothing notifies. */
export const polled = 250
const shortest = 2_000
const longest = 30_000

/** Calls `look` again and again: soon after it found something, late while it does not. */
export function regularLooks(timers: Timers, look: () => boolean) {
  let delay = shortest
  let polling = false
  let timer: unknown
  const plan = () => {
    timer = timers.set(
      () => {
        delay = look() ? shortest : longest
        plan()
      },
      polling ? polled : delay,
    )
  }
  const hasten = () => {
    if (delay === shortest) return
    delay = shortest
    again()
  }
  const again = () => {
    timers.clear(timer)
    plan()
  }
  plan()
  return {
    hasten,
    poll() {
      polling = true
      again()
    },
    stop: () => timers.clear(timer),
  }
}
