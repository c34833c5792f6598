import type { Timers } from './looks.ts'
import type { Notifications } from './notify.ts'

/**
 * The notifications that `begin` asks for, asked for after so many milliseconds. Closed before that they never begin.
 */
export function notifyLater(begin: () => Notifications, ms: number, timers: Timers): Notifications {
  const ready = Promise.withResolvers<void>()
  let begun: Notifications | null = null
  const timer = timers.set(() => {
    begun = begin()
    void begun.ready.then(ready.resolve)
  }, ms)
  return {
    ready: ready.promise,
    pause: (folder) => begun?.pause(folder),
    resume: (folder) => begun?.resume(folder),
    async close() {
      if (!begun) timers.clear(timer)
      await begun?.close()
      ready.resolve()
    },
  }
}
