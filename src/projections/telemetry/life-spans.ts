import type { Entry } from '../../protocol/facts/entry.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import { hearing, type EntryOf } from '../fold/fold.ts'
import { chatSpan, settledAttributes } from './genai-attributes.ts'
import type { ContentFold } from './genai-content.ts'
import { abandonSpans, addSpan, endSpan, isSpanOpen, runKey, startSpan, type SpanState } from './open-spans.ts'

/** The run whose facts are heard, and the spans that they make. */
export interface Tracing {
  readonly run: string
  readonly team: string
  readonly spans: SpanState
  readonly content: boolean
  readonly said: ContentFold
}

const [life, turn, model] = ['life', 'turn', 'model']

/** Keys of the spans that what a member does may lie in, innermost first. */
export const [innerKeys, turnKeys] = [
  [model, turn, life],
  [turn, life],
]

/** Spans of the run and of the lives of its members. */
export function lifeSpans({ run, team, spans, content }: Tracing) {
  const conversation = { 'gen_ai.conversation.id': run }
  const beginRun = ({ id, at }: Entry): void => {
    const names = { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': team }
    const attributes = { ...names, ...conversation }
    startSpan(spans, leaderName, { key: runKey, under: [], id, at, name: `invoke_workflow ${team}`, attributes })
  }
  return hearing({
    'team.started': beginRun,
    'team.resumed'(entry) {
      abandonSpans(spans, leaderName)
      beginRun(entry)
    },
    'team.ended'({ at, status }) {
      const failed = status !== 'completed'
      const attributes = { 'troupe.run.status': status, ...(failed && { 'error.type': status }) }
      endSpan(spans, leaderName, { key: runKey, at, attributes, failed })
    },
    'member.started'({ id, at, incarnation, executor, pid }, owner) {
      abandonSpans(spans, owner)
      const agent = { 'gen_ai.agent.name': owner, 'gen_ai.agent.id': agentId(owner, team), ...conversation }
      const process = { 'process.pid': pid, 'troupe.executor': executor, 'troupe.incarnation': incarnation }
      const attributes = { 'gen_ai.operation.name': 'invoke_agent', ...agent, ...process }
      startSpan(spans, owner, { key: life, under: [], id, at, name: `invoke_agent ${owner}`, attributes })
    },
    'member.gone'({ at, reason }, owner) {
      endTurn(spans, owner, { at, outcome: 'gone' })
      endSpan(spans, owner, { key: life, at, ...(content && { attributes: { 'troupe.reason': reason } }) })
    },
  })
}

/** Spans of turns and of the model calls in them. */
export function modelSpans({ run, spans, said }: Tracing) {
  return hearing({
    'model.requested'(entry, owner) {
      const { id, at } = entry
      endSpan(spans, owner, { key: model, at, ...unsettled })
      if (!isSpanOpen(spans, owner, turn)) beginTurn(spans, owner, entry)
      const asked = chatSpan(entry.model)
      const attributes = { ...asked.attributes, 'gen_ai.conversation.id': run, ...said.input(owner) }
      startSpan(spans, owner, { ...asked, key: model, under: turnKeys, id, at, attributes })
    },
    'model.settled'(entry, owner) {
      const attributes = { ...settledAttributes(entry), ...said.output(owner) }
      endSpan(spans, owner, { key: model, at: entry.at, attributes, failed: entry.failure !== undefined })
    },
    'model.consulted'(entry, owner) {
      const { id, at, purpose, stop, duration_ms: ms } = entry
      const failed = stop === 'error'
      const asked = chatSpan(entry.model)
      const attributes = { ...asked.attributes, ...settledAttributes(entry), 'troupe.purpose': purpose }
      addSpan(spans, owner, { ...asked, under: turnKeys, id, at: at - ms, to: at, attributes, failed })
    },
    'turn.continued': ({ at, reason: outcome }, owner) => endTurn(spans, owner, { at, outcome }),
    'agent.parked': ({ at }, owner) => endTurn(spans, owner, { at, outcome: 'parked' }),
    'agent.ended': ({ at, reason: outcome }, owner) => endTurn(spans, owner, { at, outcome }),
  })
}

const unsettled = { attributes: { 'error.type': 'unsettled' }, failed: true }

function beginTurn(spans: SpanState, owner: string, { id, at, turn: number }: EntryOf<'model.requested'>): void {
  const attributes = { 'troupe.turn': number }
  startSpan(spans, owner, { key: turn, under: [life], id: `turn ${id}`, at, name: `turn ${number}`, attributes })
}

function endTurn(spans: SpanState, owner: string, { at, outcome }: { at: number; outcome: string }): void {
  endSpan(spans, owner, { key: model, at, ...unsettled })
  endSpan(spans, owner, { key: turn, at, attributes: { 'troupe.turn.outcome': outcome } })
}
