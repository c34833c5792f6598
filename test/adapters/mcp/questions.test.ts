import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a person may think longer about a question than a call may take', async () => {
  const timeout = 100
  const server = new McpServer({ name: 'here', version: '1' })
  server.registerTool('ask', { description: 'Asks.' }, async () => {
    const requestedSchema = { type: 'object' as const, properties: { colour: { type: 'string' as const } } }
    const { content } = await server.server.elicitInput({ message: 'Which colour?', requestedSchema })
    return { content: [{ type: 'text', text: JSON.stringify(content) }] }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const { ask, close } = await connectServer(
    { timeout },
    {
      cwd: '/',
      env: {},
      version: '1',
      roots: [],
      transport: near,
      question: async () => {
        vi.advanceTimersByTime(4 * timeout)
        return { result: { action: 'accept', content: { colour: 'red' } } }
      },
    },
  )
  const how = { signal: new AbortController().signal, progress: () => undefined }
  expect(await ask({ kind: 'tool', tool: 'ask', input: {} }, how)).toMatchObject({
    content: [{ text: '{"colour":"red"}' }],
  })
  await close()
})
