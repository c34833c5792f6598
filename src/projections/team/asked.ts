import { advisorOf } from '../../rules/team/advice.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'

interface Asking {
  /** Answers in the conversation. */
  answers: number
  /** Answers that were ever asked for, counted by their place in the conversation. */
  asked: number
}

/** How far each member has asked its model, over all its lives and wherever it lives. */
export type Asked = Map<string, Asking>

export const applyAsked = foldOver<Asked, 'conversation' | 'model' | 'consultation'>({
  'message.appended': (state, { message }, owner) => {
    if (message.role === 'assistant') askingOf(state, owner).answers += 1
  },
  'message.tombstoned': ignore,
  'model.requested': (state, _, owner) => {
    const asking = askingOf(state, owner)
    asking.asked = Math.max(asking.asked, asking.answers + 1)
  },
  'model.settled': ignore,
  /** Each question to an advisor stands for itself. */
  'model.consulted': (state, { purpose }, owner) => {
    if (purpose === 'advice') askingOf(state, advisorOf(owner)).asked = 1
  },
})

function askingOf(state: Asked, owner: string): Asking {
  return getOrMake(state, owner, () => ({ answers: 0, asked: 0 }))
}
