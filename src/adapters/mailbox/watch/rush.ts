import type { Ring } from './doorbell.ts'
import type { FreshMail } from './fresh-mail.ts'
import type { Timers } from './looks.ts'
import type { Notifications } from './notify.ts'

/** A box into which mail comes faster than it is worth being told of. */
interface RushedBox {
  readonly box: FreshMail
  announce(ring: Ring | null): void
}

/** So many looks in a row that find next to nothing end a rush. */
const patience = 50

/** Fewer in a look are better told of: each at once, and not with the next look. */
const few = 8

/** Milliseconds between two looks. Without a pause a rush would end whenever its senders are not running for a moment. */
const pace = 1

/** When more is left from look to look the box is not being emptied, and each look would list all of it again. */
const most = 256

/** Until notifications begin again, which is told of, looks at these moments find what comes, in milliseconds. */
const afterwards = [2, 5, 10, 20, 50, 100]

/**
 * While mail comes in a rush and is taken out as fast, being told of each file costs more than the mail does. Then the
 * folder is looked at every millisecond instead, until little comes for a moment.
 */
export function openRushes({ pause, resume }: Pick<Notifications, 'pause' | 'resume'>, timers: Timers) {
  const rushed = new Set<string>()
  let stopped = false
  const end = (folder: string, look: () => unknown): void => {
    rushed.delete(folder)
    resume(folder)
    for (const ms of afterwards) timers.set(() => !stopped && look(), ms)
  }
  return {
    /** Looks instead of listening, unless nobody empties the box. */
    begin(folder: string, { box, announce }: RushedBox): void {
      if (stopped || rushed.has(folder)) return
      const look = (): void => announce(box.look())
      rushed.add(folder)
      pause(folder)
      let idle = 0
      const turn = (): void => {
        if (stopped) return
        look()
        const { found, left } = box.last()
        idle = found < few ? idle + 1 : 0
        if (idle < patience && left <= most) timers.set(turn, pace)
        else end(folder, look)
      }
      timers.set(turn, pace)
    },
    stop() {
      stopped = true
    },
  }
}
