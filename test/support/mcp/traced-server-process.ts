import { McpServer, ResourceTemplate } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { z } from 'zod'

/*
 * An MCP server of the SDK that sends a span of its own for each request to the collector in OTLP, below the context of the request:
 * `traced-server-process.ts`. What it answers is the context that it was given.
 */
const server = new McpServer({ name: 'traced', version: '1.0.0' })
let spans = 0

interface Extra {
  readonly _meta?: Readonly<Record<string, unknown>> | undefined
}

async function traced(name: string, { _meta }: Extra): Promise<string> {
  const context = typeof _meta?.['traceparent'] === 'string' ? _meta['traceparent'] : 'none'
  const [, traceId, parentSpanId] = context.split('-')
  if (parentSpanId === undefined) return context
  spans += 1
  const now = `${Date.now()}000000`
  const spanId = `${process.pid.toString(16)}${spans}`.padStart(16, 'f')
  const span = { traceId, spanId, parentSpanId, name, kind: 2, startTimeUnixNano: now, endTimeUnixNano: now }
  const body = { resourceSpans: [{ scopeSpans: [{ spans: [{ ...span, attributes: [], status: {} }] }] }] }
  await fetch(`${process.env['OTLP']}/v1/traces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return context
}

server.registerTool('look', { description: 'Looks.', inputSchema: { at: z.string() } }, async ({ at }, extra) => ({
  content: [{ type: 'text', text: await traced(`tools/call look ${at}`, extra) }],
}))
server.registerResource('page', 'page://one', {}, async ({ href }, extra) => ({
  contents: [{ uri: href, text: await traced('resources/read', extra) }],
}))
const list = async (extra: Extra) => {
  await traced('resources/list', extra)
  return { resources: [] }
}
server.registerResource('pages', new ResourceTemplate('pages://{n}', { list }), {}, () => ({ contents: [] }))
server.registerPrompt('greet', {}, async (extra) => {
  const text = await traced('prompts/get', extra)
  return { messages: [{ role: 'user', content: { type: 'text', text } }] }
})
await server.connect(new StdioServerTransport())
