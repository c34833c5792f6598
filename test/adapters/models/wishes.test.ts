import { afterAll, expect, test } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { anthropicRequests, betaHeaders } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import { listen, request } from '../../contracts/model.ts'
import { modelServer, sendJson, type ModelServer } from './support/model-server.ts'
import { chatSpoken, anthropicSpoken } from './support/spoken.ts'

const servers: ModelServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const sampling = {
  temperature: 0.2,
  top_p: 0.9,
  stop: ['END'],
  service_tier: 'flex',
  metadata: { user_id: 'u1' },
  betas: ['context-1m'],
}
const asked = { ...request, sampling }
const common = { temperature: 0.2, top_p: 0.9, service_tier: 'flex', metadata: { user_id: 'u1' } }

test('wishes for an answer are spelled as each API wants them', () => {
  expect(JSON.parse(anthropicRequests('m')(asked, new Set()))).toMatchObject({ ...common, stop_sequences: ['END'] })
  expect(JSON.parse(chatRequests('m')(asked, new Set()))).toMatchObject({ ...common, stop: ['END'] })
  expect(JSON.parse(responsesRequests('m')(asked, new Set()))).toMatchObject(common)
  expect(betaHeaders(asked)).toEqual({ 'anthropic-beta': 'context-1m' })
  expect(betaHeaders(request)).toBeUndefined()
})

test('nothing is said of what nobody wished for, nor of what was refused', () => {
  for (const text of [
    anthropicRequests('m')(request, new Set()),
    chatRequests('m')(request, new Set()),
    responsesRequests('m')(request, new Set()),
    anthropicRequests('m')(asked, new Set(['sampling'])),
    chatRequests('m')(asked, new Set(['sampling'])),
    responsesRequests('m')(asked, new Set(['sampling'])),
  ])
    expect(text).not.toMatch(/temperature|top_p/)
})

test.for([
  [{ thinking_display: 'summarized' }, { type: 'adaptive', display: 'summarized' }, { summary: 'auto' }],
  [{ thinking_display: 'concise' }, { type: 'adaptive', display: 'summarized' }, { summary: 'concise' }],
  [{ thinking_display: 'omitted' }, undefined, undefined],
  [{ thinking_display: 'omitted', effort: 'high' }, { type: 'adaptive', display: 'omitted' }, { effort: 'high' }],
  [
    { thinking_display: 'detailed', thinking_budget: 4_096 },
    { type: 'enabled', budget_tokens: 4_096, display: 'summarized' },
    { effort: 'medium', summary: 'detailed' },
  ],
  [{ thinking_display: 'summarized', thinking_budget: 0 }, { type: 'disabled' }, { effort: 'none' }],
] as const)('%j is said in the words of each vendor', ([wish, thinking, reasoning]) => {
  const wished = { ...request, ...wish }
  expect(bodyFrom(anthropicRequests('m')(wished, new Set()))['thinking']).toEqual(thinking)
  expect(bodyFrom(responsesRequests('m')(wished, new Set()))['reasoning']).toEqual(reasoning)
  expect(anthropicRequests('m')(wished, new Set(['display']))).not.toContain('display')
  expect(responsesRequests('m')(wished, new Set(['summary']))).not.toContain('summary')
})

function bodyFrom(text: string): Readonly<Record<string, unknown>> {
  return JSON.parse(text) as Readonly<Record<string, unknown>>
}

const streamed = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('')

test("the vendor's name for a request and its own price come with the answer, the name with a failure, too", async () => {
  let fails = false
  const server = await modelServer((_, response) => {
    if (fails) {
      sendJson(response, 400, { error: { message: 'no' } }, { 'x-request-id': 'req_2' })
      return
    }
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, cost: 0.0125 } }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' })
    response.end(streamed([...chatSpoken.slice(0, -1), usage, '[DONE]']))
  })
  servers.push(server)
  const model = await openModel('openai-compatible/m', {
    baseDir: '.',
    env: { OPENAI_COMPATIBLE_BASE_URL: server.root },
  })
  expect((await listen(model)).message).toMatchObject({ request_id: 'req_1', cost_usd: 0.0125 })
  fails = true
  expect((await listen(model)).message.failure).toMatchObject({ code: 'invalid_request', request_id: 'req_2' })
})

test('tokens of thinking are counted where the Messages API says them', async () => {
  const server = await modelServer((_, response) => {
    const usage = { output_tokens: 90, output_tokens_details: { thinking_tokens: 60 } }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      streamed(
        anthropicSpoken.map((event) =>
          (event as { type: string }).type === 'message_delta' ? { ...(event as object), usage } : event,
        ),
      ),
    )
  })
  servers.push(server)
  const env = { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.root }
  expect((await listen(await openModel('anthropic/m', { baseDir: '.', env }))).message.usage.reasoning).toBe(60)
})
