import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectWithLogin } from '../../../src/adapters/mcp/client/login.ts'
import { loginFile } from '../../../src/adapters/mcp/client/token-file.ts'
import type { McpQuestion, McpReply, McpTool } from '../../../src/protocol/mcp/listing.ts'
import { withDefaults } from '../../../src/rules/mcp/elicited-defaults.ts'

/*
 * The program that the conformance suite starts as "the client": it connects, lists, and calls every tool, with the
 * connection that runs use. Its person is a browser that says yes.
 */

const [url = ''] = process.argv.slice(2)
const context = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Readonly<Record<string, string>>
const home = mkdtempSync(join(tmpdir(), 'troupe-conformance-'))
const spec = {
  type: 'http',
  url,
  oauth: {
    clientMetadataUrl: 'https://conformance-test.local/client-metadata.json',
    ...(context['client_id'] === undefined ? {} : { clientId: context['client_id'] }),
    ...(context['client_secret'] === undefined ? {} : { clientSecret: context['client_secret'] }),
  },
} as const

const signal = AbortSignal.timeout(280_000)
const question = async ({ method, params }: McpQuestion): Promise<McpReply> =>
  method === 'elicitation'
    ? { result: { action: 'accept', content: withDefaults(params['requestedSchema']) } }
    : { refusal: 'there is no model here' }

/** Arguments that a schema is content with. */
function argumentsFor({ inputSchema }: McpTool): Readonly<Record<string, unknown>> {
  const properties = (inputSchema['properties'] ?? {}) as Readonly<Record<string, { readonly type?: string }>>
  const value = { number: 1, integer: 1, boolean: true, string: 'text' } as Readonly<Record<string, unknown>>
  return Object.fromEntries(Object.entries(properties).map(([name, { type = '' }]) => [name, value[type] ?? null]))
}

try {
  const connection = await connectWithLogin(
    spec,
    {
      cwd: home,
      env: {},
      version: '0.0.0',
      roots: [],
      state: randomUUID(),
      file: await loginFile({ home, env: {} }, url),
      signal,
      question,
    },
    {
      async open(address) {
        const answer = await fetch(address)
        await answer.text()
      },
    },
  )
  for (const tool of connection.listing.tools) {
    const asked = { kind: 'tool', tool: tool.name, input: argumentsFor(tool) } as const
    const answer = await connection.ask(asked, { signal, progress: () => undefined })
    console.log(tool.name, JSON.stringify(answer))
  }
  await connection.close()
} finally {
  rmSync(home, { recursive: true, force: true })
}
