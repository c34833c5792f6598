import type { EntryOf } from '../fold/fold.ts'
import { foldSome } from '../fold/fold.ts'

type Requested = EntryOf<'permission.requested'>
type Decided = EntryOf<'permission.decided'>

/** A call that waited for somebody, and the answer as far as there is one. */
export interface AskedCall {
  readonly member: string
  readonly request: string
  readonly call_id: string
  readonly tool: string
  /** Why it was asked about. */
  readonly decision: Requested['decision']
  readonly deadline: number | null
  readonly at: number
  readonly answer: (Pick<Decided, 'at' | 'decision' | 'by'> & { readonly isEdited: boolean }) | null
  /** When the question ended without an answer: its member was interrupted, died, or asked anew. */
  readonly withdrawn_at: number | null
}

/** The calls of a run that somebody was asked about, in the order of the asking. */
export type AskedCallList = AskedCall[]

/** Takes one recorded fact into the calls that were asked about. */
export const applyAskedCalls = foldSome<AskedCallList>({
  'permission.requested': (calls, { request, call_id, tool, decision, deadline, at }, member) => {
    // A life that takes a call up asks about it anew.
    withdraw(calls, { member, call_id, at })
    calls.push({ member, request, call_id, tool, decision, deadline, at, answer: null, withdrawn_at: null })
  },
  'permission.decided': (calls, { call_id, decision, by, at, updated_input }, member) => {
    const index = calls.findLastIndex((call) => call.member === member && call.call_id === call_id && isOpen(call))
    const call = calls[index]
    if (call === undefined) return
    const isEdited = updated_input !== undefined
    calls[index] = { ...call, answer: { at, decision, isEdited, ...(by === undefined ? {} : { by }) } }
  },
  'call.finished': (calls, { call_id, at }, member) => withdraw(calls, { member, call_id, at }),
  'member.crashed': withdraw,
  'member.lost': withdraw,
  'member.stopped': withdraw,
})

interface Withdrawn extends Pick<AskedCall, 'member' | 'at'> {
  /** The questions about this call alone; about each call of the member where it is left out. */
  readonly call_id?: string
}

function withdraw(calls: AskedCallList, { member, call_id, at }: Withdrawn): void {
  for (const [index, call] of calls.entries()) {
    const isMeant = call.member === member && (call_id === undefined || call.call_id === call_id)
    if (isMeant && isOpen(call)) calls[index] = { ...call, withdrawn_at: at }
  }
}

function isOpen({ answer, withdrawn_at }: AskedCall): boolean {
  return answer === null && withdrawn_at === null
}

/** The calls that wait for an answer. */
export function unanswered(calls: AskedCallList): readonly AskedCall[] {
  return calls.filter(isOpen)
}
