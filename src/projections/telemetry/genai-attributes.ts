import type { Envelope } from '../../protocol/mail/envelope.ts'
import type { Usage } from '../../protocol/conversation/message.ts'
import type { Attributes, TraceSpan } from '../../protocol/telemetry/trace-span.ts'
import { serverOf } from '../../rules/mcp/tool-names.ts'
import type { EntryOf } from '../fold/fold.ts'

type Named = Pick<TraceSpan, 'name' | 'kind' | 'attributes'>

/** The provider of a model, and the model's name there: `providerAndModel('anthropic/claude-opus-5')` → `['anthropic', 'claude-opus-5']`. */
export function providerAndModel(model: string): readonly [string, string] {
  const slash = model.indexOf('/')
  return slash < 0 ? ['unknown', model] : [model.slice(0, slash), model.slice(slash + 1)]
}

/** The span of one call of a model. */
export function chatSpan(model: string): Named {
  const [provider, name] = providerAndModel(model)
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': name,
  }
  return { name: `chat ${name}`, kind: 'client', attributes }
}

/** How a call of a model ended, and what it took. */
export function settledAttributes(
  settled: Pick<EntryOf<'model.settled'>, 'stop' | 'usage' | 'cost_usd' | 'model' | 'request_id' | 'failure'>,
): Attributes {
  const { stop, usage, cost_usd, model, request_id, failure } = settled
  return {
    'gen_ai.response.model': providerAndModel(model)[1],
    'gen_ai.response.finish_reasons': [stop],
    ...usageAttributes(usage),
    ...(request_id === undefined ? {} : { 'gen_ai.response.id': request_id }),
    ...(cost_usd === null ? {} : { 'troupe.cost.usd': cost_usd }),
    ...(failure === undefined ? {} : { 'error.type': failure.code }),
  }
}

/** The convention counts cached tokens among those of the input. */
function usageAttributes(usage: Usage): Attributes {
  const { input, output, cache_read, cache_write, reasoning } = usage
  return {
    'gen_ai.usage.input_tokens': input + cache_read + cache_write,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': cache_read,
    'gen_ai.usage.cache_creation.input_tokens': cache_write,
    ...(reasoning === undefined ? {} : { 'gen_ai.usage.reasoning.output_tokens': reasoning }),
  }
}

/** The span of one tool call; a call of an MCP server's tool is a request to that server, too. */
export function toolSpan(tool: string, callId: string): Named {
  const server = serverOf(tool)
  const attributes = {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool,
    'gen_ai.tool.call.id': callId,
    'gen_ai.tool.type': server === null ? 'function' : 'extension',
    ...(server === null ? {} : { 'mcp.method.name': 'tools/call', 'troupe.mcp.server': server }),
  }
  return { name: `execute_tool ${tool}`, kind: server === null ? 'internal' : 'client', attributes }
}

/** The span of one hook; its command line counts as content. */
export function hookSpan(ran: EntryOf<'hook.ran'>, content: boolean): Named & { id: string; failed: boolean } {
  const { id, event, hook, source, outcome, call_id } = ran
  const failed = outcome === 'error' || outcome === 'cancelled'
  const attributes = {
    'troupe.hook.event': event,
    'troupe.hook.source': source,
    'troupe.hook.outcome': outcome,
    ...(call_id === undefined ? {} : { 'gen_ai.tool.call.id': call_id }),
    ...(content ? { 'troupe.hook': hook } : {}),
    ...(failed ? { 'error.type': outcome } : {}),
  }
  return { id, name: `hook ${event}`, kind: 'internal', attributes, failed }
}

/** The attributes of a mail on its way out or in. */
export function mailAttributes(envelope: Envelope, operation: 'send' | 'receive', content: boolean): Attributes {
  const { id, from, to, kind, body, request } = envelope
  return {
    'messaging.system': 'troupe',
    'messaging.operation.name': operation,
    'messaging.operation.type': operation,
    'messaging.destination.name': to,
    'messaging.message.id': id,
    'troupe.mail.from': from,
    'troupe.mail.kind': kind,
    ...(request === undefined ? {} : { 'troupe.request.id': request }),
    ...(content ? { 'troupe.mail.body': body } : {}),
  }
}
