import { callsOf } from '../../protocol/conversation/message.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import { hearing } from '../fold/fold.ts'

/** A call that was judged in a run: as the model made it, and how it was decided. */
export interface PastCall {
  /** The member's name. */
  readonly member: string
  readonly call_id: string
  readonly tool: string
  readonly input: unknown
  readonly at: number
  /** Why it became a question; null where the rules decided. */
  readonly asked: Decision | null
  /** The decision that counted: of a rule, or of whoever was asked. */
  readonly decided: Decision
}

/** The judged calls of a run, in the order of their decisions; a call that nobody has decided on yet is none. */
export function pastCalls(recorded: readonly Recorded[]): readonly PastCall[] {
  const made = new Map<string, { readonly tool: string; readonly input: unknown }>()
  const asked = new Map<string, Decision>()
  const calls: PastCall[] = []
  const keyOf = (owner: string, id: string): string => `${owner} ${id}`
  const hear = hearing({
    'message.appended'({ message }, owner) {
      if (message.role !== 'assistant') return
      // A model may give a call the id of an earlier one.
      for (const { id, name, input } of callsOf(message)) made.set(keyOf(owner, id), { tool: name, input })
    },
    'permission.requested': ({ call_id, decision }, owner) => void asked.set(keyOf(owner, call_id), decision),
    'permission.decided'({ call_id, tool, decision, at }, owner) {
      const key = keyOf(owner, call_id)
      const call = made.get(key)
      if (call?.tool === tool)
        calls.push({ member: owner, call_id, ...call, at, asked: asked.get(key) ?? null, decided: decision })
      asked.delete(key)
    },
  })
  for (const each of recorded) hear(each)
  return calls
}

/** The word of the rules alone on a past call. */
export function ruledBehavior({ asked, decided }: Pick<PastCall, 'asked' | 'decided'>): Decision['behavior'] {
  if (asked !== null || decided.source === 'nobody' || decided.source === 'human' || decided.source === 'classifier')
    return 'ask'
  return decided.behavior
}
