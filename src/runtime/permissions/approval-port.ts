import type { Answer, Decision } from '../../protocol/permissions/permission.ts'
import type { Approver, Question, RegisterOutput, RequestPlan } from '../../protocol/port.ts'
import type { Consult } from '../recovery/consult.ts'

/** How one agent's questions reach whoever answers them. */
export interface ApprovalPort {
  plan(decision: Decision): Omit<RequestPlan, 'hooked'>
  /** Null: no opinion. */
  classify(question: Question, consult: Consult, signal: AbortSignal): Promise<Answer | null>
  /** Puts the question where others find it, before anybody is told; `nth`: of several that one call asks. */
  register(question: Question, nth?: number): RegisterOutput
  wait(question: Question, request: string | null, signal: AbortSignal): Promise<Answer>
  /** An answer that was found elsewhere: returns the one that counts. */
  claim(answer: Answer, request: string | null): Answer
  /** Writes rules where they hold for later runs too. */
  save(rules: readonly string[]): Promise<void>
}

/** Judges calls in place of a person; null is no opinion. */
export type Classifier = (question: Question, consult: Consult, signal: AbortSignal) => Promise<Answer | null>

/**
 * The approvals of a lone agent: its approver in this process, its hooks and its classifier are asked at once. What a rule or
 * a bound asks is no classifier's to answer.
 * @param asked hears each question before the approver does
 */
export function approverPort(
  approver: Approver,
  classifier: Classifier | null,
  asked: (question: Question) => void,
): ApprovalPort {
  return {
    plan: () => ({ order: 'race', classifies: false }),
    classify: async (question, consult, signal) =>
      question.decision.source === 'mode' ? ((await classifier?.(question, consult, signal)) ?? null) : null,
    register: () => ({ request: null, deadline: null, wait_ms: null }),
    wait(question, _, signal) {
      asked(question)
      return approver.answer(question, signal)
    },
    claim: (answer) => answer,
    save: () => Promise.resolve(),
  }
}
