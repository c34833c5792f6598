import { afterAll, describe, expect, test } from 'vitest'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { wireName } from '../../../src/adapters/models/served/tool-names.ts'
import { callsOf, noUsage, textOf, userMessage } from '../../../src/protocol/conversation/message.ts'
import { listen, request } from '../../contracts/model.ts'
import { modelServer, sendEvents, sendJson, type ModelServer } from './support/model-server.ts'
import { anthropicSpoken } from './support/spoken.ts'

const servers: ModelServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const opened = async (provider: string, ...given: Parameters<typeof modelServer>) => {
  const server = await modelServer(...given)
  servers.push(server)
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.root,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: server.root,
    OPENAI_COMPATIBLE_BASE_URL: server.root,
  }
  return { server, env, model: await openModel(`${provider}/m`, { baseDir: '.', env }) }
}

describe('names', () => {
  const long = `mcp__server__${'x'.repeat(80)}`
  test('that every vendor takes stay; others keep apart from each other', () => {
    expect(wireName('Read')).toBe('Read')
    const names = ['a.b', 'a_b', 'a b', 'ü', '', '21st', '-x', long, `${long}y`]
    for (const name of names.map(wireName)) expect(name).toMatch(/^[A-Za-z_][\w-]{0,63}$/)
    expect(new Set(names.map(wireName)).size).toBe(names.length)
  })

  test('come back as they were', async () => {
    const tools = [{ name: 'files.read all', description: '', parameters: {} }]
    const wire = wireName('files.read all')
    const spoken = JSON.parse(JSON.stringify(anthropicSpoken).replaceAll('"Read"', JSON.stringify(wire))) as unknown[]
    const { model } = await opened('anthropic', (_, response) => sendEvents(response, spoken))
    expect(callsOf((await listen(model, { ...request, tools })).message)[0]?.name).toBe('files.read all')
  })
})

const whole: Readonly<Record<string, unknown>> = {
  anthropic: {
    id: 'msg',
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'hm', signature: 'sig' },
      { type: 'text', text: 'Reading.' },
      { type: 'tool_use', id: 'c', name: 'Read', input: { path: 'a' } },
    ],
    stop_reason: 'tool_use',
    usage: { input_tokens: 3, output_tokens: 4 },
  },
  openai: {
    status: 'completed',
    output: [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
      { type: 'function_call', call_id: 'c', name: 'Read', arguments: '{"path":"a"}' },
    ],
    usage: { input_tokens: 3, output_tokens: 4 },
  },
  'openai-compatible': {
    choices: [
      {
        message: {
          role: 'assistant',
          content: 'Reading.',
          tool_calls: [{ id: 'c', function: { name: 'Read', arguments: '{"path":"a"}' } }],
        },
        finish_reason: 'tool_calls',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4 },
  },
}

test.for(Object.keys(whole))('%s: an answer that is not streamed counts as well', async (provider) => {
  const { model } = await opened(provider, (_, response) => sendJson(response, 200, whole[provider]))
  const { text, message } = await listen(model)
  expect(text).toBe('Reading.')
  expect(message).toMatchObject({ stop: 'tools', usage: { input: 3, output: 4 } })
  expect(callsOf(message)).toMatchObject([{ id: 'c', name: 'Read', input: { path: 'a' } }])
})

describe('an answer of a given shape', () => {
  const output = { name: 'answer', schema: { type: 'object', properties: { n: { type: 'number' } } } }
  test("is text in the vendor's own mode, and a forced call elsewhere becomes text too", async () => {
    const { model, server } = await opened('openai-compatible', ({ text }, response) => {
      if (text.includes('response_format'))
        sendJson(response, 400, { error: { message: 'response_format is not supported' } })
      else {
        const call = { index: 0, id: 'c', function: { name: 'answer', arguments: '{"n":7}' } }
        sendEvents(response, [{ choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }, '[DONE]'])
      }
    })
    const { message } = await listen(model, { ...request, output })
    expect(JSON.parse(textOf(message))).toEqual({ n: 7 })
    expect(message.stop).toBe('end')
    expect(server.asked.map(({ text }) => /response_format|tool_choice/.exec(text)?.[0])).toEqual([
      'response_format',
      'tool_choice',
    ])
  })
})

describe('what a vendor said with its words goes back to it', () => {
  test('anthropic: citations and callers', async () => {
    const citation = {
      type: 'web_search_result_location',
      url: 'https://example.com',
      encrypted_index: 'E',
      cited_text: 'x',
      title: 't',
    }
    const caller = { type: 'code_execution_20250825', tool_id: 'srv_1' }
    const events = [
      { type: 'message_start', message: { id: 'm', usage: {} } },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'server_tool_use', id: 'srv_1', name: 'code_execution', input: {} },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'Cited.' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'citations_delta', citation } },
      { type: 'content_block_stop', index: 1 },
      {
        type: 'content_block_start',
        index: 2,
        content_block: { type: 'tool_use', id: 'c', name: 'Read', input: {}, caller },
      },
      { type: 'content_block_stop', index: 2 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_stop' },
    ]
    const { model, server } = await opened('anthropic', (_, response) => sendEvents(response, events))
    const { message } = await listen(model)
    await listen(model, { ...request, messages: [userMessage('go'), message] })
    expect(server.asked[1]?.body['messages']).toMatchObject([
      {},
      {
        content: [{ type: 'server_tool_use' }, { text: 'Cited.', citations: [citation] }, { type: 'tool_use', caller }],
      },
      { content: [{ type: 'tool_result', tool_use_id: 'c' }] },
    ])
  })

  test('responses: phase, and the program that called', async () => {
    const caller = { type: 'program', caller_id: 'prog_1' }
    const said = {
      type: 'message',
      id: 'm',
      role: 'assistant',
      phase: 'commentary',
      status: 'completed',
      content: [{ type: 'output_text', text: 'Hm.', annotations: [] }],
    }
    const call = { type: 'function_call', id: 'f', call_id: 'c', name: 'Read', arguments: '{}', caller }
    const events = [{ type: 'response.completed', response: { status: 'completed', output: [said, call] } }]
    const { model, server } = await opened('openai', (_, response) => sendEvents(response, events))
    const { message } = await listen(model)
    await listen(model, { ...request, messages: [userMessage('go'), message] })
    expect(server.asked[1]?.body['input']).toMatchObject([
      {},
      said,
      { type: 'function_call', caller },
      { type: 'function_call_output', call_id: 'c', caller },
    ])
  })
})

test('a model that sees no images is told of them from then on', async () => {
  const { model, server } = await opened('openai-compatible', ({ text }, response) => {
    if (text.includes('image_url'))
      sendJson(response, 404, { error: { message: 'No endpoints found that support image input' } })
    else sendEvents(response, [{ choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }, '[DONE]'])
  })
  const image = { type: 'image' as const, media_type: 'image/png', data: 'AAAA' }
  const messages = [{ role: 'user' as const, origin: 'person' as const, content: [image] }]
  expect((await listen(model, { ...request, messages })).message.stop).toBe('end')
  expect((await listen(model, { ...request, messages })).message.stop).toBe('end')
  expect(server.asked).toHaveLength(3)
  expect(server.asked[2]?.text).toContain('cannot see')
})

test('a head that only one request has stays with it', async () => {
  const { model, server } = await opened('anthropic', (_, response) => sendEvents(response, anthropicSpoken))
  const advisor = { model: 'claude-opus-5', max_uses: 1, max_tokens: 1_024 }
  for (const more of [{}, { advisor }, {}]) await listen(model, { ...request, ...more })
  const betas = server.asked.map(({ headers }) => headers['anthropic-beta'])
  expect(betas).toEqual([undefined, 'advisor-tool-2026-03-01', undefined])
})

test('a key that its server refused gives way to the one that stands there now', async () => {
  const { server, env } = await opened('anthropic', ({ headers }, response) => {
    if (headers.authorization === 'Bearer another') sendEvents(response, anthropicSpoken)
    else sendJson(response, 401, { type: 'error', error: { type: 'authentication_error', message: 'No.' } })
  })
  const changing: Record<string, string> = { ...env }
  const model = await openModel('anthropic/m', { baseDir: '.', env: changing })
  expect(await model.renew?.()).toBe(true)
  await listen(model)
  expect(await model.renew?.()).toBe(false)
  changing['ANTHROPIC_API_KEY'] = 'another'
  expect(await model.renew?.()).toBe(true)
  await listen(model)
  expect(server.asked.map(({ headers }) => headers.authorization).at(-1)).toBe('Bearer another')
  expect(server.asked).toHaveLength(2)
})

test('a server that takes only short ids gets them, for a call and its result alike', async () => {
  const { model, server } = await opened('openai-compatible', ({ text }, response) => {
    const message = 'Tool call id was toolu_01 but must be a-z, A-Z, 0-9, with a length of 9.'
    if (text.includes('toolu_01')) sendJson(response, 400, { message, type: 'invalid_request_message_order' })
    else sendEvents(response, [{ choices: [{ delta: { content: 'ok' }, finish_reason: 'stop' }] }, '[DONE]'])
  })
  const call = { type: 'tool_use' as const, id: 'toolu_01', name: 'Read', input: {} }
  const said = { role: 'assistant' as const, model: 'm', content: [call], stop: 'tools' as const, usage: noUsage }
  const results = [{ call_id: call.id, tool: 'Read', content: [], is_error: false }]
  const messages = [userMessage('Go.'), said, { role: 'tool' as const, results }]
  expect((await listen(model, { ...request, messages })).message.stop).toBe('end')
  const sent = server.asked[1]?.body['messages'] as { tool_calls?: { id: string }[]; tool_call_id?: string }[]
  const id = sent.find(({ tool_calls }) => tool_calls)?.tool_calls?.[0]?.id
  expect(id).toMatch(/^[a-z0-9]{9}$/)
  expect(sent.find(({ tool_call_id }) => tool_call_id)?.tool_call_id).toBe(id)
})
