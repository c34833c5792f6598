import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Approver, Question } from '../../protocol/port.ts'

/**
 * The approver of a run that nobody watches: every question is denied at once, and the reason says what
 * would let the call through.
 *
 * `await nobodyApprover().answer(question, signal)` → `{ behavior: 'deny', source: 'nobody', reason: '…' }`
 *
 * @throws the signal's reason when it is already aborted
 */
export function nobodyApprover(): Approver {
  return {
    answer: async (question, signal) => {
      signal.throwIfAborted()
      return nobodyAnswers(question)
    },
  }
}

/** The denial itself, for approvers whose person has gone away. */
export function nobodyAnswers(question: Question): Answer {
  return { behavior: 'deny', source: 'nobody', reason: `nobody is there to be asked; ${cure(question)}` }
}

/** An ask rule stands before every allow rule, and what the bounds hold no rule opens. */
function cure({ decision, grants }: Question): string {
  if (decision.source === 'bounds') return 'no rule allows it, it needs a person at a terminal'
  if (decision.rule !== undefined) {
    return `the ${decision.source} rule ${decision.rule} asks before any allow rule counts, remove it to allow this`
  }
  const [rule] = grants.session
  return rule === undefined
    ? 'no rule allows just this, it needs a person at a terminal'
    : `allow it with --allow ${shellQuoted(rule)}, or in permissions.allow of the team file`
}

function shellQuoted(text: string): string {
  return /["$`\\!\n]/.test(text) ? `'${text.replaceAll("'", `'\\''`)}'` : `"${text}"`
}
