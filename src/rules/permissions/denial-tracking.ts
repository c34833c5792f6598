import type { Decision } from '../../protocol/permissions/permission.ts'

/** How often the classifier of one member said no. A classifier that is stuck must not refuse for ever in silence. */
export interface Denials {
  /** Since something was allowed or a person was asked. */
  readonly inARow: number
  /** In the whole session. */
  readonly inAll: number
}

export const noDenials: Denials = { inARow: 0, inAll: 0 }

const mostInARow = 3
const mostInAll = 20

/** The count after one decision. Only denials by the classifier count: those by a person are meant. */
export function countDenial(
  { inARow, inAll }: Denials,
  { behavior, source }: Pick<Decision, 'behavior' | 'source'>,
): Denials {
  if (source === 'classifier' && behavior === 'deny') return { inARow: inARow + 1, inAll: inAll + 1 }
  if (source === 'classifier' || source === 'human') return { inARow: 0, inAll }
  return { inARow, inAll }
}

/** The classifier has refused too much: a person is asked instead. */
export function refusesTooMuch({ inARow, inAll }: Denials): boolean {
  return inARow >= mostInARow || inAll >= mostInAll
}
