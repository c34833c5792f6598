import type { ActorRefFrom } from 'xstate'
import { breakerMachine } from '../../../machines/model/breaker.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Clock } from '../actors/clock.ts'
import { spawnRoot } from '../actors/spawn.ts'

/** The outcome of an attempt, as far as the model is to blame or to thank. */
export type Outcome = 'failed' | 'succeeded' | 'given_up' | 'replaced'

/**
 * One circuit breaker per model, shared by all members of a run. A model that never failed has none, so that
 * requests that succeed cost nothing here.
 */
export interface Breakers {
  /** May a request go out now? Else how many milliseconds the model is left alone. */
  admit(model: string, note: (fact: Fact) => void): number | null
  report(model: string, outcome: Outcome, note: (fact: Fact) => void): void
}

type Breaker = ActorRefFrom<typeof breakerMachine>

/** Milliseconds between looks at another member's probe of the model. */
const probeMs = 1_000

/** Opens the breakers of one run. @example const breakers = openBreakers(systemClock()) */
export function openBreakers(clock: Clock): Breakers {
  const known = new Map<string, Breaker>()
  let heard: (fact: Fact) => void = () => undefined
  const breakerOf = (model: string): Breaker => {
    const breaker =
      known.get(model) ??
      spawnRoot<typeof breakerMachine>(
        breakerMachine,
        { provider: model },
        { id: `breaker:${model}`, clock, record: (facts) => facts.forEach((fact) => heard(fact)), crashed: raise },
      )
    known.set(model, breaker)
    return breaker
  }
  /** Facts go to the member that gave reason for them: sending is synchronous. */
  const send = (breaker: Breaker, type: Outcome | 'asked', note: (fact: Fact) => void): void => {
    heard = note
    breaker.send({ type, at: clock.now() })
  }
  return {
    admit(model, note) {
      const breaker = known.get(model)
      if (!breaker || breaker.getSnapshot().matches('closed')) return null
      const isProbed = breaker.getSnapshot().matches('probing')
      if (!isProbed) send(breaker, 'asked', note)
      if (!isProbed && breaker.getSnapshot().matches('probing')) return null
      return Math.max(probeMs, breaker.getSnapshot().context.until - clock.now())
    },
    report(model, outcome, note) {
      if (outcome === 'failed' || outcome === 'replaced' || known.has(model)) send(breakerOf(model), outcome, note)
    },
  }
}

function raise(error: unknown): never {
  throw error
}
