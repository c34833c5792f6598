import { foldOver, getOrMake, ignore } from '../fold/fold.ts'

/** The state of a member at the end of an earlier leader. */
export interface EarlierLife {
  /** How often it was started. */
  attempt: number
  /** How many starts away from the coordinator it was started. */
  depth: number
  /** When it crashed. */
  readonly crashes: number[]
  /** The member ran or was about to run again, did not run, had been stopped, or had been given up. */
  state: 'running' | 'absent' | 'stopped' | 'lost'
  /** True after a stop, until another life begins. */
  fresh: boolean
  /** The wish that it stops, where nobody knows whether it did. */
  stop: { readonly by: string; readonly reason: string } | null
}

/** By name; members that were never started are not among them. */
export type EarlierLives = Map<string, EarlierLife>

export const applyLives = foldOver<EarlierLives, 'life' | 'stop'>({
  'member.spawned': (lives, { member, attempt, depth = 1 }) =>
    void Object.assign(lifeOf(lives, member), { attempt, depth, state: 'running', stop: null }),
  'member.started': (lives, _, owner) => {
    // A member whose start the team's journal lost is as one that was never started: its mail starts it.
    const life = lives.get(owner)
    if (life) life.fresh = false
  },
  'member.woke': ignore,
  'member.idled': ignore,
  'member.drained': ignore,
  'member.gone': (lives, _, owner) => {
    const life = lifeOf(lives, owner)
    if (life.state !== 'stopped') life.state = 'absent'
  },
  'member.crashed': (lives, { member, at }) => {
    // Another start follows, perhaps after a while, or the loss of the member.
    lifeOf(lives, member).crashes.push(at)
  },
  'member.refused': ignore,
  'member.lost': (lives, { member }) => {
    lifeOf(lives, member).state = 'lost'
  },
  'stop.asked': (lives, { member, by, reason }) => {
    lifeOf(lives, member).stop = { by, reason }
  },
  'stop.refused': (lives, { member }) => {
    lifeOf(lives, member).stop = null
  },
  // The crashes before it count no more, and a stop makes nothing fresh.
  'member.restarted': (lives, { member }) => {
    const life = lifeOf(lives, member)
    life.crashes.length = 0
    Object.assign(life, { fresh: false, stop: null })
  },
  'member.stopped': (lives, { member }) =>
    void Object.assign(lifeOf(lives, member), { state: 'stopped', fresh: true, stop: null }),
})

function lifeOf(lives: EarlierLives, name: string): EarlierLife {
  return getOrMake(lives, name, () => ({
    attempt: 0,
    depth: 1,
    crashes: [],
    state: 'absent',
    fresh: false,
    stop: null,
  }))
}
