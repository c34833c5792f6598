import { oneOf } from './random.ts'

/** When somebody is to be struck: once workers were answered so often, and so many more entries were written. */
export interface Stroke {
  readonly answers: number
  readonly entries: number
  /** `STOP` freezes a worker for a while. */
  readonly signal: NodeJS.Signals
}

/** What befalls one life of a leader. */
export interface LeaderStroke extends Stroke {
  /** It dies so many milliseconds after its start, wherever that is; null: once it leads, and `entries` were written. */
  readonly starting: number | null
  /** Everybody dies with it, as when the machine goes down. */
  readonly everybody: boolean
  /** The machine starts again: what the files say of processes was before that. */
  readonly reboot: boolean
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

const workerSignals = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGSTOP'] as const
const leaderSignals = ['SIGKILL', 'SIGKILL', 'SIGKILL', 'SIGTERM', 'SIGINT', 'SIGHUP'] as const
const longestStart = 700
const mostEntries = 12

/** Kills spread over a run: as it goes on, not as time passes, so that a slow machine sees the same. */
export function killPlan({ kills, leaderKills, answers }: Wish, random: () => number): KillPlan {
  const stroke = (signals: readonly NodeJS.Signals[]): Stroke => ({
    answers: Math.floor(random() * answers),
    entries: Math.floor(random() * mostEntries),
    signal: oneOf(random, signals),
  })
  const inOrder = (a: Stroke, b: Stroke): number => a.answers - b.answers
  return {
    workers: Array.from({ length: kills }, () => stroke(workerSignals)).toSorted(inOrder),
    leaders: Array.from({ length: leaderKills }, () => leaderStroke(stroke(leaderSignals), random)).toSorted(inOrder),
  }
}

/** A machine that goes down asks nobody, and every other time it starts again. */
function leaderStroke(stroke: Stroke, random: () => number): LeaderStroke {
  const starting = random() < 0.25 ? random() * longestStart : null
  const everybody = random() < 0.15
  const signal = everybody ? 'SIGKILL' : stroke.signal
  return { ...stroke, signal, starting, everybody, reboot: everybody && random() < 0.5 }
}
