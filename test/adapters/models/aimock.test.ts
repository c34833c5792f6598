import { LLMock } from '@copilotkit/aimock'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { callsOf, textOf, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { listen, request } from '../../contracts/model.ts'

/** Against a mock of the vendors' APIs that this project did not write: three turns on each of them. */
const mock = new LLMock({ port: 0, strict: true })
let root: string

beforeAll(async () => {
  const calls = [
    { id: 'call_1', name: 'Read', arguments: '{"file_path":"a.txt"}' },
    { id: 'call_2', name: 'Read', arguments: '{"file_path":"b.txt"}' },
  ]
  const thought = { reasoning: 'think first', reasoningSignature: 'SIG==' }
  mock.on({ toolCallId: 'call_2' }, { content: 'Both are read.' })
  mock.on({ userMessage: 'start', hasToolResult: false }, { ...thought, content: 'Reading.', toolCalls: calls })
  mock.onMessage('limit', { error: { message: 'slow down', type: 'rate_limit_error' }, status: 429, retryAfter: 1 })
  root = await mock.start()
})
afterAll(() => mock.stop())

const read = [{ name: 'Read', description: 'Reads a file.', parameters: { type: 'object', properties: {} } }]
const open = (provider: string) =>
  openModel(`${provider}/test-model`, {
    baseDir: '.',
    env: {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: root,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: `${root}/v1`,
      OPENAI_COMPATIBLE_BASE_URL: `${root}/v1`,
    },
  })

test.for(['anthropic', 'openai', 'openai-compatible'])('%s: calls, results, answer', async (provider) => {
  const model = await open(provider)
  const messages: Message[] = [userMessage('start')]
  const first = (await listen(model, { ...request, tools: read, messages })).message
  expect(first).toMatchObject({ stop: 'tools' })
  expect(textOf(first)).toBe('Reading.')
  expect(callsOf(first).map(({ input }) => input)).toEqual([{ file_path: 'a.txt' }, { file_path: 'b.txt' }])
  const results = callsOf(first).map(({ id, name }) => {
    return { call_id: id, tool: name, content: [{ type: 'text' as const, text: 'text' }], is_error: false }
  })
  messages.push(first, { role: 'tool', results })
  const second = (await listen(model, { ...request, tools: read, messages })).message
  expect(second).toMatchObject({ stop: 'end' })
  expect(textOf(second)).toBe('Both are read.')
})

test.for(['anthropic', 'openai', 'openai-compatible'])('%s: a limit says how long to wait', async (provider) => {
  const { message } = await listen(await open(provider), { ...request, messages: [userMessage('limit')] })
  expect(message.failure).toMatchObject({ code: 'rate_limited', status: 429, retry_after_ms: 1000 })
})
