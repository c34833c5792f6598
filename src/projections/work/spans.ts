import type { Recorded } from '../../protocol/facts/entry.ts'
import { hearing } from '../fold/fold.ts'

/** A stretch of time of one member: a piece of work, a model call in it, or the wait for somebody's answer. */
export interface Span {
  readonly member: string
  readonly kind: 'work' | 'model' | 'wait'
  readonly from: number
  /** Null while it goes on, or where the process was killed. */
  readonly to: number | null
}

/** Folds the facts of a run into the stretches of time of its members, in the order in which they began. */
export function spansOf(recorded: readonly Recorded[]): readonly Span[] {
  const spans: { -readonly [Key in keyof Span]: Span[Key] }[] = []
  const open = new Map<string, (typeof spans)[number]>()
  const begin = (key: string, span: Omit<Span, 'to'>): void => {
    const begun = { ...span, to: null }
    spans.push(begun)
    open.set(`${span.member} ${span.kind} ${key}`, begun)
  }
  const end = (key: string, { member, kind, from: to }: Omit<Span, 'to'>): void => {
    const name = `${member} ${kind} ${key}`
    const span = open.get(name)
    if (span) span.to = to
    open.delete(name)
  }
  const hear = hearing({
    'agent.started': ({ at: from }, member) => begin('', { member, kind: 'work', from }),
    'agent.ended': ({ at: from }, member) => {
      end('', { member, kind: 'model', from })
      end('', { member, kind: 'work', from })
    },
    'model.requested': ({ at: from }, member) => begin('', { member, kind: 'model', from }),
    'model.settled': ({ at: from }, member) => end('', { member, kind: 'model', from }),
    'turn.continued': ({ at: from }, member) => end('', { member, kind: 'model', from }),
    'permission.requested': ({ at: from, request }, member) => begin(request, { member, kind: 'wait', from }),
    // A lone agent's request has the id of its call.
    'permission.decided': ({ at: from, call_id, request = call_id }, member) =>
      end(request, { member, kind: 'wait', from }),
  })
  for (const each of recorded) hear(each)
  return spans
}
