import type { Recorded } from '../../protocol/facts/entry.ts'
import { foldOver, ignore, type EntryOf } from '../fold/fold.ts'

/** Facts that a model is paid for: an answer, the agent's own or about it, or an attempt that came to nothing. */
export type Paid = EntryOf<'model.settled' | 'model.consulted' | 'model.retried' | 'model.given_up'>

/** Makes a fold that takes in all that was paid for, and nothing else. */
export function foldOverPaid<State>(
  count: (state: State, paid: Paid, owner: string) => void,
): (state: State, recorded: Recorded) => void {
  return foldOver<State, 'model' | 'consultation' | 'recovery'>({
    'model.requested': ignore,
    'model.settled': count,
    'model.consulted': count,
    'model.retried': count,
    'model.given_up': count,
    'model.paused': ignore,
    'model.waiting': ignore,
    'model.resumed': ignore,
    'model.fell_back': ignore,
    'model.conceded': ignore,
    'cache.extended': ignore,
    'model.counted': ignore,
    'model.described': ignore,
    'breaker.opened': ignore,
    'breaker.closed': ignore,
  })
}
