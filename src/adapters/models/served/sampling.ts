import type { ModelRequest } from '../../../protocol/models/model.ts'

/** Wishes for an answer as both APIs of OpenAI spell them; keys without a value are not written. */
export function samplingOf({ sampling = {} }: ModelRequest, conceded: ReadonlySet<string>): object {
  const { temperature, top_p, service_tier, metadata } = sampling
  return { ...(conceded.has('sampling') ? {} : { temperature, top_p }), service_tier, metadata }
}
