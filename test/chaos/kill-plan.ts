/** When somebody is to be killed: once workers were answered so often, and so many more entries were written. */
export interface Stroke {
  readonly answers: number
  readonly entries: number
}

/** What befalls one life of a leader. */
export interface LeaderStroke extends Stroke {
  /** It dies so many milliseconds after its start, wherever that is; null: once it leads, and `entries` were written. */
  readonly starting: number | null
  /** Everybody dies with it, as when the machine goes down. */
  readonly everybody: boolean
}

export interface KillPlan {
  readonly workers: readonly Stroke[]
  readonly leaders: readonly LeaderStroke[]
}

interface Wish {
  /** Of workers. */
  readonly kills: number
  readonly leaderKills: number
  /** How often workers are answered in an undisturbed run. */
  readonly answers: number
}

const longestStart = 700
const mostEntries = 12

/** Kills spread over a run: as it goes on, not as time passes, so that a slow machine sees the same. */
export function killPlan({ kills, leaderKills, answers }: Wish, random: () => number): KillPlan {
  const stroke = (): Stroke => ({
    answers: Math.floor(random() * answers),
    entries: Math.floor(random() * mostEntries),
  })
  const inOrder = (a: Stroke, b: Stroke): number => a.answers - b.answers
  return {
    workers: Array.from({ length: kills }, stroke).toSorted(inOrder),
    leaders: Array.from({ length: leaderKills }, () => ({
      ...stroke(),
      starting: random() < 0.25 ? random() * longestStart : null,
      everybody: random() < 0.15,
    })).toSorted(inOrder),
  }
}
