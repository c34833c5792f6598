import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { Attributes, SpanPlace } from '../../protocol/telemetry/trace-span.ts'
import { isPersonOutbox, personSender } from '../../protocol/words/ids.ts'
import { mailKey, placeInMail, serverCallKey, spanIdOf } from '../../rules/telemetry/trace-ids.ts'
import { getOrMake, hearing } from '../fold/fold.ts'
import { serverOf } from '../../rules/mcp/tool-names.ts'
import { hookSpan, mailAttributes, toolSpan } from './genai-attributes.ts'
import { turnKeys, type Tracing } from './life-spans.ts'
import { addSpan, endSpan, isSpanOpen, startSpan, type SpanState } from './open-spans.ts'

/** Spans of tool calls, of the waits for a person's answer to them, and of hooks. */
export function callSpans({ spans, content, said }: Tracing) {
  const servers = serverCalls()
  return hearing({
    'member.started': ({ incarnation }, owner) => servers.begin(owner, incarnation),
    'call.started'({ id: entry, at, call_id, tool }, owner) {
      const id = serverOf(tool) === null ? entry : servers.key(owner, call_id)
      const begun = toolSpan(tool, call_id)
      const attributes = { ...begun.attributes, ...said.arguments(owner, call_id) }
      startSpan(spans, owner, { ...begun, attributes, key: callKey(call_id), under: turnKeys, id, at })
    },
    'call.finished'({ id, at, call_id, tool, is_error: failed, exit, skipped }, owner) {
      const key = callKey(call_id)
      // A call that was refused never began.
      if (!isSpanOpen(spans, owner, key))
        startSpan(spans, owner, { ...toolSpan(tool, call_id), key, under: turnKeys, id, at })
      const kind = skipped ? 'skipped' : 'tool_error'
      const attributes: Attributes = {
        ...(failed && { 'error.type': kind }),
        ...(exit && { 'process.exit.code': exit.code }),
      }
      endSpan(spans, owner, { key, at, attributes, failed })
    },
    'permission.requested'({ id, at, call_id, tool, request }, owner) {
      const attributes = { 'gen_ai.tool.name': tool, 'gen_ai.tool.call.id': call_id, 'troupe.request.id': request }
      const key = waitKey(call_id)
      startSpan(spans, owner, { key, under: turnKeys, id, at, name: 'blocked_on_user', attributes })
    },
    'permission.decided'({ at, call_id, decision: { behavior, source } }, owner) {
      const attributes = { 'troupe.permission.behavior': behavior, 'troupe.permission.source': source }
      endSpan(spans, owner, { key: waitKey(call_id), at, attributes })
    },
    'hook.ran'(entry, owner) {
      const { at, duration_ms: ms } = entry
      const ran = hookSpan(entry, content)
      addSpan(spans, owner, { ...ran, under: turnKeys, at: at - ms, to: at })
    },
  })
}

/** The keys of calls to MCP servers, as the process that calls knows them, too. */
function serverCalls() {
  const lives = new Map<string, ReturnType<typeof lifeOf>>()
  const lifeOf = (incarnation: string) => ({ incarnation, calls: new Map<string, number>() })
  return {
    begin: (owner: string, incarnation: string) => void lives.set(owner, lifeOf(incarnation)),
    key(owner: string, call: string): string {
      const { incarnation, calls } = getOrMake(lives, owner, () => lifeOf(''))
      const earlier = calls.get(call) ?? 0
      calls.set(call, earlier + 1)
      return serverCallKey(incarnation, call, earlier)
    },
  }
}

/** Spans of mail that is sent and received. People are no members: what they send has no span here. */
export function mailSpans({ spans, content }: Tracing) {
  return hearing({
    'mail.sent'({ at, envelope }, owner) {
      if (isPersonOutbox(owner)) return
      const call = /^call:(.*):\d+$/.exec(envelope.key)?.[1]
      const under = [...(call === undefined ? [] : [callKey(call)]), ...turnKeys]
      const attributes = mailAttributes(envelope, 'send', content)
      const said = { name: `send ${envelope.kind}`, kind: 'producer', attributes } as const
      addSpan(spans, owner, { ...said, under, id: mailKey(envelope.id), at })
    },
    'mail.received'({ id, at, envelope }, owner) {
      const attributes = mailAttributes(envelope, 'receive', content)
      const said = { name: `receive ${envelope.kind}`, kind: 'consumer', attributes } as const
      addSpan(spans, owner, { ...said, under: turnKeys, id, at, links: placesOf(spans, envelope) })
    },
  })
}

/** The span that a mail was sent from, where there is one. */
function placesOf({ run, traceId }: SpanState, { id, from, traceparent }: Envelope): readonly SpanPlace[] {
  const carried = placeInMail(traceparent)
  if (carried !== null) return [carried]
  return from === personSender ? [] : [{ traceId, spanId: spanIdOf(run, mailKey(id)) }]
}

function callKey(call: string): string {
  return `call ${call}`
}

function waitKey(call: string): string {
  return `wait ${call}`
}
