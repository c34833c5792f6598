import { wordsTool } from './own-question.ts'

/** The parts of an answer that say what it was, and who gave it. */
interface GivenAnswer {
  readonly behavior: 'allow' | 'deny' | 'ask'
  readonly reason: string
  readonly by?: string | undefined
}

const withdrawal = 'withdrawn: '

/** The reason of an answer that nobody gave: the question went away. */
export function withdrawnReason(why: string): string {
  return `${withdrawal}${why}`
}

/**
 * An answer in words, for a person who did not give it.
 *
 * @param tool the tool of the call that was asked about; a question in a member's own words is answered, never allowed
 * @example answerText('Bash', { behavior: 'deny', reason: 'Use git.', by: 'troupe attach' }) // 'denied by troupe attach: Use git.'
 */
export function answerText(tool: string, { behavior, reason, by = 'somebody' }: GivenAnswer): string {
  if (reason.startsWith(withdrawal)) return `no longer asked: ${reason.slice(withdrawal.length)}`
  const word = behavior === 'allow' ? 'allowed' : 'denied'
  if (tool === wordsTool && behavior === 'allow') return `answered by ${by}: ${reason}`
  if (reason === '' || reason === word || reason === `${word} once`) return `${word} by ${by}`
  return reason.startsWith(word) ? `${reason} (${by})` : `${word} by ${by}: ${reason}`
}
