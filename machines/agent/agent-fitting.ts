import { nowhere, type AgentContext, type AgentStep, type LoopState } from './agent-state.ts'

/* The pure transitions of an agent whose conversation is made shorter. */

/** A refused request is made shorter: that is not done again before work has gone on. */
export function shrunk({ state }: AgentContext): AgentStep {
  return { state: { ...state, shrunk: 'just' }, facts: [] }
}

/** The question that comes next is asked however long the conversation still is. */
export function fitted({ state }: AgentContext): AgentStep {
  return { state: { ...state, fitted: true, next: { ...nowhere, reason: 'auto_compact' } }, facts: [] }
}

/** The state after an answer: the next question is fitted anew. @param isAccepted the answer is one */
export function answeredAt({ shrunk: before }: LoopState, isAccepted: boolean): Pick<LoopState, 'fitted' | 'shrunk'> {
  return { fitted: false, shrunk: before === 'just' && isAccepted ? 'answered' : before }
}
