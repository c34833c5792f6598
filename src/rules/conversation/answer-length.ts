import type { ModelRequest } from '../../protocol/models/model.ts'

/** The sizes of a model in tokens; null is what nobody said. */
export interface ModelSizes {
  readonly max_output: number | null
  readonly window: number | null
}

/** How long an answer may get, in tokens. */
interface AnswerLength {
  /** At the first attempt. */
  readonly first: number
  /** When the first attempt was cut off. */
  readonly most: number
}

/** An answer that nobody limited: longer ones are rare, and what is asked for counts against limits of rate and budget. */
export const usualAnswer = 32_000

/** An answer shorter than this is of no use: a conversation that leaves less is made shorter instead. */
const floor = 3_000

/**
 * The length that is asked for: the model's own limit, at first no more than a usual answer and what is thought before
 * it, never more than the window has left. A limit that a person set counts at once.
 *
 * @returns null where neither the model's limit nor a person's is known
 * @example answerLength(request, { max_output: 64_000, window: 200_000 }) // { first: 32_000, most: 64_000 }
 */
export function answerLength(request: AnswerWish, { max_output, window }: ModelSizes): AnswerLength | null {
  const { held_tokens = 0, max_tokens, effort, thinking_budget = 0 } = request
  const limit = Math.min(max_tokens ?? Infinity, max_output ?? Infinity)
  if (limit === Infinity) return null
  const room = window === null ? limit : Math.max(floor, window - held_tokens)
  const most = Math.min(limit, room)
  const first = max_tokens === undefined && effort !== 'max' ? Math.min(most, usualAnswer + thinking_budget) : most
  return { first, most }
}

type AnswerWish = Pick<ModelRequest, 'held_tokens' | 'max_tokens' | 'effort' | 'thinking_budget'>
