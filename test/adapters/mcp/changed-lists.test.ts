import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'

test('a tool that can be called as a task alone, since a list that changed, is called so', async () => {
  let task = false
  const asked: boolean[] = []
  const { server } = new McpServer(
    { name: 'here', version: '1' },
    { capabilities: { tools: { listChanged: true }, tasks: { requests: { tools: { call: {} } } } } },
  )
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [
      {
        name: 'work',
        inputSchema: { type: 'object' as const },
        ...(task ? { execution: { taskSupport: 'required' as const } } : {}),
      },
    ],
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    asked.push(params.task !== undefined)
    return { content: [] }
  })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const heard = Promise.withResolvers<void>()
  const { ask, close } = await connectServer(
    {},
    {
      cwd: '/',
      env: {},
      version: '1',
      roots: [],
      transport: near,
      question: () => Promise.resolve({ refusal: 'no' }),
      changed: () => heard.resolve(),
    },
  )
  const how = { signal: new AbortController().signal, progress: () => undefined }
  await ask({ kind: 'tool', tool: 'work', input: {} }, how)
  task = true
  await server.sendToolListChanged()
  await heard.promise
  await ask({ kind: 'tool', tool: 'work', input: {} }, how)
  expect(asked).toEqual([false, true])
  await close()
})

test('a list that is said to have changed and is the same as before is no news, and many faults are few warnings', async () => {
  let more = false
  const wrong = Array.from({ length: 500 }, (_, n) => ({ name: `wrong_${n}` }))
  const { server } = new McpServer({ name: 'here', version: '1' }, { capabilities: { tools: { listChanged: true } } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...(more ? [{ name: 'more', inputSchema: { type: 'object' as const } }] : []), ...(wrong as never[])],
  }))
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  const heard = Promise.withResolvers<void>()
  let news = 0
  const { listing, close } = await connectServer(
    {},
    {
      cwd: '/',
      env: {},
      version: '1',
      roots: [],
      transport: near,
      question: () => Promise.resolve({ refusal: 'no' }),
      changed() {
        news += 1
        heard.resolve()
      },
    },
  )
  expect(listing.warnings).toHaveLength(21)
  expect(listing.warnings.at(-1)).toBe('and 480 more of this kind')
  for (let n = 0; n < 50; n += 1) await server.sendToolListChanged()
  more = true
  await server.sendToolListChanged()
  await heard.promise
  expect(news).toBe(1)
  await close()
})
