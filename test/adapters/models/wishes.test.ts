import { afterAll, expect, test } from 'vitest'
import { priceOf } from '../../../src/adapters/models/prices.ts'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { anthropicRequests, betaHeaders } from '../../../src/adapters/models/anthropic/request.ts'
import { chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { responsesRequests } from '../../../src/adapters/models/openai/request.ts'
import { listen, request } from '../../contracts/model.ts'
import { modelServer, sendEvents, sendJson, type ModelServer } from './support/model-server.ts'
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

test('tools of the server go out as each vendor names them, until it refuses them', () => {
  const tooled = { ...request, sampling: { server_tools: ['web_search', 'code_execution'] as const } }
  const types = (text: string) => (bodyFrom(text)['tools'] as { type?: string }[]).map(({ type }) => type)
  expect(types(anthropicRequests('m')(tooled, new Set()))).toEqual(['web_search_20250305', 'code_execution_20250825'])
  expect(types(responsesRequests('m')(tooled, new Set()))).toEqual(['web_search', 'code_interpreter'])
  for (const text of [
    anthropicRequests('m')(tooled, new Set(['server_tools'])),
    responsesRequests('m')(tooled, new Set(['server_tools'])),
    chatRequests('m')(tooled, new Set()),
  ])
    expect(text).not.toMatch(/web_search|code_/)
})

test.for([
  ['gemini', 'summarized', { extra_body: { google: { thinking_config: { include_thoughts: true } } } }],
  ['gemini', 'omitted', { extra_body: { google: { thinking_config: { include_thoughts: false } } } }],
  ['openrouter', 'omitted', { reasoning: { exclude: true } }],
  ['openrouter', 'summarized', {}],
  ['groq', 'omitted', {}],
] as const)('%s: thinking that is %s', ([provider, thinking_display, wanted]) => {
  const wished = { ...request, thinking_display }
  const { extra_body, reasoning } = bodyFrom(chatRequests('m', provider)(wished, new Set()))
  expect(JSON.stringify({ extra_body, reasoning })).toBe(JSON.stringify(wanted))
  expect(chatRequests('m', provider)(wished, new Set(['display']))).not.toMatch(/extra_body|exclude/)
})

/** Answers of one server, read by a model. */
async function heardFrom(name: string, events: readonly unknown[], more: object = {}) {
  const server = await modelServer((_, response) => sendEvents(response, events))
  servers.push(server)
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.root,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: server.root,
    OPENAI_COMPATIBLE_BASE_URL: server.root,
  }
  return listen(await openModel(name, { baseDir: '.', env }), { ...request, ...more })
}

test('a server that counts what it reads from its cache beside its usage is believed', async () => {
  const usage = { prompt_tokens: 120, completion_tokens: 3 }
  const chunk = { choices: [{ index: 0, delta: { content: 'Hi.' }, finish_reason: 'stop' }] }
  const { message } = await heardFrom('openai-compatible/m', [
    chunk,
    { choices: [], usage, timings: { cache_n: 100 } },
    '[DONE]',
  ])
  expect(message.usage).toMatchObject({ input: 20, cache_read: 100, output: 3 })
})

test('words that Gemini marks as a thought are one', async () => {
  const delta = (content: string, thought = false) => ({
    choices: [{ index: 0, delta: { content, ...(thought && { extra_content: { google: { thought } } }) } }],
  })
  const { message } = await heardFrom('openai-compatible/m', [
    delta('<thought>Look ', true),
    delta('twice.', true),
    delta('</thought>Yes'),
    delta(' indeed.'),
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
    '[DONE]',
  ])
  expect(message.content.map(({ type, ...block }) => [type, 'text' in block ? block.text : ''])).toEqual([
    ['thinking', 'Look twice.'],
    ['text', 'Yes indeed.'],
  ])
})

test('searches are counted and priced; an API without tools of the server says so', async () => {
  const usage = { output_tokens: 9, server_tool_use: { web_search_requests: 2 } }
  const counted = [
    { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 40, output_tokens: 1 } } },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ]
  const { message } = await heardFrom('anthropic/claude-opus-5', counted)
  expect(message.usage.searches).toBe(2)
  const price = await priceOf('anthropic/claude-opus-5')
  const { searches, ...rest } = message.usage
  expect(price(message.usage)).toBeCloseTo((price(rest) ?? 0) + 0.02, 9)
  expect(searches).toBe(2)
  const told = await heardFrom('openai-compatible/m', chatSpoken, { sampling: { server_tools: ['web_search'] } })
  expect(told.message.conceded).toMatchObject([{ feature: 'tools of the server', back: false }])
})

const pdf = { type: 'document' as const, media_type: 'application/pdf' as const, name: 'a.pdf', data: 'JVBERg==' }
const withPdf = {
  ...request,
  messages: [{ role: 'user' as const, origin: 'person' as const, content: [{ ...pdf, text: 'Page one.' }] }],
}

test('a PDF goes as a file to a chat server that is known to read it, elsewhere as its text, which is said once', async () => {
  const file = { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } }
  const sent = (provider: string, refused: readonly 'documents'[] = []) =>
    bodyFrom(chatRequests('m', provider)(withPdf, new Set(refused)))
  const heard = (body: object) => (body as { messages: { role: string; content: unknown }[] }).messages.at(-1)?.content
  expect(heard(sent('openai'))).toEqual([file])
  expect(sent('openai')).not.toHaveProperty('plugins')
  expect(heard(sent('openrouter'))).toEqual([file])
  expect(sent('openrouter')['plugins']).toEqual([{ id: 'file-parser', pdf: { engine: 'native' } }])
  for (const body of [sent('groq'), sent('openrouter', ['documents'])]) {
    expect(heard(body)).toBe('[a.pdf, a PDF as text]\nPage one.')
    expect(body).not.toHaveProperty('plugins')
  }
  const { message } = await heardFrom('openai-compatible/m', chatSpoken, withPdf)
  expect(message.conceded).toMatchObject([{ feature: 'documents', back: false }])
})

test('a server that refuses a file gets its text', async () => {
  const server = await modelServer(({ text }, response) => {
    if (text.includes('file_data')) sendJson(response, 404, { error: { message: 'No endpoint supports file input' } })
    else sendEvents(response, chatSpoken)
  })
  servers.push(server)
  const env = { OPENROUTER_API_KEY: 'k', OPENROUTER_BASE_URL: server.root }
  const { message } = await listen(await openModel('openrouter/m', { baseDir: '.', env }), withPdf)
  expect(message.conceded).toMatchObject([{ feature: 'documents', back: false }])
  expect(server.asked.map(({ text }) => text.includes('Page one.'))).toEqual([false, true])
})

test('a number of tokens that no model can have read counts none', async () => {
  const usage = { choices: [], usage: { prompt_tokens: 1e99, completion_tokens: 9e8 } }
  const { message } = await heardFrom('openai-compatible/m', [...chatSpoken.slice(0, -1), usage, '[DONE]'])
  expect(message.usage).toMatchObject({ input: 0, output: 0 })
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
  let cost = '0.0125'
  const server = await modelServer((_, response) => {
    if (fails) {
      sendJson(response, 400, { error: { message: 'no' } }, { 'x-request-id': 'req_2' })
      return
    }
    const usage = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2, cost: 0.0125 } }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req_1' })
    response.end(streamed([...chatSpoken.slice(0, -1), usage, '[DONE]']).replace('0.0125', cost))
  })
  servers.push(server)
  const model = await openModel('openai-compatible/m', {
    baseDir: '.',
    env: { OPENAI_COMPATIBLE_BASE_URL: server.root },
  })
  expect((await listen(model)).message).toMatchObject({ request_id: 'req_1', cost_usd: 0.0125 })
  for (cost of ['1e999', '-1', '"free"']) expect((await listen(model)).message).not.toHaveProperty('cost_usd')
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
