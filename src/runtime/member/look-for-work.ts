import type { UnreadOutput } from '../../protocol/port.ts'
import type { Clock } from '../actors/clock.ts'

/** Milliseconds of the first rest after a look that led to nothing, and of the longest. */
const [shortest, longest] = [100, 30_000]

/** A look for work that rests before it sends a member after the same work in vain again. */
export interface WorkLook {
  /**
   * @param failure of the latest intake of mail
   * @throws that failure: the member has failed, and its supervisor counts how often
   */
  look(failure: { readonly error: unknown } | null): Promise<UnreadOutput>
  /** Notes how a piece of work ended: in a turn of a model, or without one. */
  ended(turn: number): void
  /** Ends a rest: something new came. */
  hasten(): void
}

/**
 * Looks for work, and rests when the last look found as much and the member got nowhere: each time twice as long. Whatever
 * keeps it from its work, signals and timers are served meanwhile.
 * @param find counts the work that waits
 */
export function openWorkLook(find: () => UnreadOutput, clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>): WorkLook {
  let before = 0
  let vain = 0
  let isVain = false
  let hasten = (): void => undefined
  const rest = (ms: number): Promise<void> =>
    new Promise((go) => {
      const timer = clock.setTimeout(go, ms)
      hasten = () => {
        clock.clearTimeout(timer)
        go()
      }
    })
  return {
    async look(failure) {
      if (failure) throw failure.error
      let found = find()
      vain = isVain && found.unread > 0 && found.unread === before ? vain + 1 : 0
      if (vain > 0) {
        await rest(Math.min(longest, shortest * 2 ** (vain - 1)))
        found = find()
      }
      before = found.unread
      return found
    },
    ended(turn) {
      isVain = turn === 0
    },
    hasten: () => hasten(),
  }
}
