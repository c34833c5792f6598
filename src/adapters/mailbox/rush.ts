import type { Ring } from './doorbell.ts'
import type { FreshMail } from './fresh-mail.ts'
import type { Timers } from './looks.ts'
import type { Notifications } from './notify.ts'

/** A box into which mail comes faster than it is worth being told of. */
interface RushedBox {
  readonly box: FreshMail
  announce(ring: Ring | null): void
}

/** So many looks in a row that find nothing end a rush. */
const patience = 50

/** A box that holds more is not being emptied: looking again and again would list all of it each time. */
const most = 256

/** Notifications begin again within this time; looks at these moments find what they miss, in milliseconds. */
const afterwards = [5, 20, 100]

/**
 * While mail comes in a rush and is taken out as fast, being told of each file costs more than the mail does. Then the
 * folder is looked at once in each turn of the event loop instead, until nothing comes for a moment.
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
      const look = (): boolean => {
        const ring = box.look()
        announce(ring)
        return ring !== null
      }
      rushed.add(folder)
      pause(folder)
      let idle = 0
      const turn = (): void => {
        if (stopped) return
        idle = look() ? 0 : idle + 1
        if (idle < patience && box.held() <= most) setImmediate(turn)
        else end(folder, look)
      }
      setImmediate(turn)
    },
    stop() {
      stopped = true
    },
  }
}
