import type { Recorded } from '../../protocol/facts/entry.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { foldSome } from '../fold/fold.ts'

/** The work, or the wait, of a member in a stretch of time. */
export type SpanKind = 'work' | 'model' | 'call' | 'wait' | 'blocked'

/**
 * A stretch of time of one member: a piece of work, in it a model call, a tool call, the wait for somebody's answer, or the
 * wait for other members.
 */
export interface Span {
  readonly member: string
  readonly kind: SpanKind
  readonly from: number
  /** Null while it goes on, or where the run was killed. */
  readonly to: number | null
  /** The model or tool, or the members that are waited for. */
  readonly label: string
}

/** Stretches in the order in which they began, and what is needed to end them. */
export interface SpanFold {
  readonly spans: Span[]
  /** Places of those that go on. */
  readonly open: Map<string, number>
  /** By sender: the members that it asked and that have not answered, by request. */
  readonly requests: Map<string, { readonly from: string; readonly to: string }>
}

export function emptySpans(): SpanFold {
  return { spans: [], open: new Map(), requests: new Map() }
}

export function copySpans({ spans, open, requests }: SpanFold): SpanFold {
  return { spans: [...spans], open: new Map(open), requests: new Map(requests) }
}

/** Takes one recorded fact into the stretches. */
export const applySpans = foldSome<SpanFold>({
  'agent.started': (fold, { at }, member) => begin(fold, { member, kind: 'work', from: at, label: '' }),
  'agent.ended': (fold, { at }, member) => {
    for (const kind of ['model', 'blocked', 'work'] as const) end(fold, { member, kind, at })
  },
  'model.requested': (fold, { at, model }, member) => {
    end(fold, { member, kind: 'blocked', at })
    begin(fold, { member, kind: 'model', from: at, label: model })
  },
  'model.settled': (fold, { at }, member) => end(fold, { member, kind: 'model', at }),
  'turn.continued': (fold, { at }, member) => end(fold, { member, kind: 'model', at }),
  'call.started': (fold, { at, call_id, tool }, member) =>
    begin(fold, { member, kind: 'call', from: at, label: tool }, call_id),
  'call.finished': (fold, { at, call_id }, member) => {
    // A call that is interrupted while somebody is asked about it gets no answer.
    for (const kind of ['wait', 'call'] as const) end(fold, { member, kind, at }, call_id)
  },
  'permission.requested': (fold, { at, call_id, tool }, member) =>
    begin(fold, { member, kind: 'wait', from: at, label: tool }, call_id),
  'permission.decided': (fold, { at, call_id }, member) => end(fold, { member, kind: 'wait', at }, call_id),
  'mail.sent': ({ requests }, { envelope: { kind, request, to } }, from) => {
    if (kind === 'task' && request !== undefined) requests.set(request, { from, to: memberName(to) })
  },
  'request.settled': ({ requests }, { request }) => void requests.delete(request),
  'agent.parked': (fold, { at }, member) => {
    const names = [...fold.requests.values()].flatMap(({ from, to }) => (from === member ? [to] : []))
    begin(fold, { member, kind: 'blocked', from: at, label: [...new Set(names)].join(', ') })
  },
  'member.idled': (fold, { at, waiting_for = [] }, member) => {
    if (waiting_for.length > 0) begin(fold, { member, kind: 'blocked', from: at, label: waiting_for.join(', ') })
  },
  'member.woke': (fold, { at }, member) => end(fold, { member, kind: 'blocked', at }),
  'member.gone': (fold, { at }, member) => end(fold, { member, kind: 'blocked', at }),
  'member.crashed': (fold, { at, member }) => endAll(fold, member, at),
  'member.lost': (fold, { at, member }) => endAll(fold, member, at),
  'member.stopped': (fold, { at, member }) => endAll(fold, member, at),
})

/** Folds the facts of a run into the stretches of time of its members. */
export function spansOf(recorded: readonly Recorded[]): readonly Span[] {
  const fold = emptySpans()
  for (const each of recorded) applySpans(fold, each)
  return fold.spans
}

function begin(fold: SpanFold, span: Omit<Span, 'to'>, key = ''): void {
  // A span that a killed life left open ends where the next life begins it anew.
  end(fold, { ...span, at: span.from }, key)
  fold.open.set(keyOf(span, key), fold.spans.length)
  fold.spans.push({ ...span, to: null })
}

function end({ spans, open }: SpanFold, ended: Pick<Span, 'member' | 'kind'> & { at: number }, key = ''): void {
  const name = keyOf(ended, key)
  const place = open.get(name) ?? -1
  const span = spans[place]
  if (span) spans[place] = { ...span, to: ended.at }
  open.delete(name)
}

function endAll({ spans, open }: SpanFold, member: string, at: number): void {
  for (const [key, place] of open) {
    const span = spans[place]
    if (span?.member !== member) continue
    spans[place] = { ...span, to: at }
    open.delete(key)
  }
}

function keyOf({ member, kind }: Pick<Span, 'member' | 'kind'>, key: string): string {
  return `${member} ${kind} ${key}`
}
