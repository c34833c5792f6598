import { setTimeout } from 'node:timers/promises'

const longestWait = 120_000

/** Looks until there is something to be found; a look that throws ends it. */
export async function until<Found>(find: () => Found | null, complaint: () => string): Promise<Found> {
  const began = performance.now()
  for (let found = find(); ; found = find()) {
    if (found !== null) return found
    if (performance.now() - began > longestWait) throw new Error(complaint())
    await setTimeout(10)
  }
}
