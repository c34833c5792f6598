import type { FactOf } from '../../protocol/facts/fact.ts'
import { localTime, momentText } from '../../protocol/words/local-time.ts'

/** Facts on the ways to models: what they are like, and how their calls recover. */
export type RecoveryFact = FactOf<
  | 'model.retried'
  | 'model.paused'
  | 'model.waiting'
  | 'model.resumed'
  | 'model.fell_back'
  | 'model.conceded'
  | 'cache.extended'
  | 'model.counted'
  | 'model.described'
  | 'breaker.opened'
  | 'breaker.closed'
>

/**
 * A recovery in a sentence, or null when it is not worth one.
 *
 * @example recoveryText({ type: 'model.paused', until, … }) // 'rate_limited: waits until 2026-03-01 15:05:00 +01:00'
 */
export function recoveryText(fact: RecoveryFact): string | null {
  switch (fact.type) {
    case 'model.retried':
      // A pause is told by a fact of its own.
      if (fact.delay_ms >= 60_000) return null
      return `${fact.failure.code}: asks again in ${seconds(fact.delay_ms)} (attempt ${fact.attempt + 1}): ${fact.failure.message}`
    case 'model.paused':
      return `${fact.failure.code}: waits until ${momentText(fact.until)}: ${fact.failure.message}`
    case 'model.fell_back':
      return `${fact.to} answers instead of ${fact.from}: ${fact.failure.code}: ${fact.failure.message}`
    case 'model.conceded':
      return fact.back
        ? `${fact.model} is asked for ${fact.feature} again`
        : `${fact.model} is asked without ${fact.feature} from now on: ${fact.reason}`
    case 'cache.extended':
      return `waits took ${seconds(fact.median_ms)}: the conversation is kept for an hour`
    case 'model.counted':
      return `${fact.model} counts ${fact.tokens} tokens of conversation`
    case 'model.described':
      return describedText(fact)
    case 'breaker.opened':
      return `${fact.provider} failed ${fact.failures} times in a row: nobody asks it until ${momentText(fact.until)}`
    case 'breaker.closed':
      return `${fact.provider} answers again`
    default:
      return null
  }
}

function describedText({ model, window, slots, trained }: FactOf<'model.described'>): string {
  const more = trained !== undefined && trained > window ? ` (it could have ${trained})` : ''
  return `${model} has a window of ${window} tokens${more}${slots === 1 ? ', and answers one request at a time' : ''}`
}

/** Until when a paused member waits, for a line of a table: `until 15:05 +01:00`. */
export function untilText(until: number): string {
  const { clock, zone } = localTime(until)
  return `until ${clock.slice(0, 5)} ${zone}`
}

function seconds(ms: number): string {
  if (ms === 0) return 'no time'
  return ms < 10_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}
