import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { userMessage } from '../../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../../src/protocol/models/model.ts'
import type { ProviderSpec } from '../../../../src/protocol/words/provider-spec.ts'
import { modelServer, sendJson, type Asked } from '../support/model-server.ts'

const request: ModelRequest = {
  agent: 'ann',
  system: 'You count.',
  messages: [userMessage('How many?')],
  tools: [{ name: 'Read', description: 'Reads.', parameters: { type: 'object', properties: {} } }],
  max_tokens: 700,
  effort: 'high',
  sampling: { temperature: 0.5, stop: ['END'], metadata: { user_id: 'u' } },
}
const { signal } = new AbortController()

type Answers = Readonly<Record<string, unknown>>

/** The model of a server that answers these paths; every other path is unknown to it. */
async function counting(
  name: string,
  answers: Answers,
  { base = '/v1', ...spec }: ProviderSpec & { base?: string } = {},
) {
  const server = await modelServer(({ path }, response) => {
    const answer = answers[path]
    sendJson(response, answer === undefined ? 404 : 200, answer ?? { error: { message: 'Not found' } })
  })
  onTestFinished(server.close)
  const [provider = ''] = name.split('/', 1)
  const servers = { [provider]: { base_url: `${server.root}${base}`, key: { command: 'echo k' }, ...spec } }
  const model = await openModel(name, { baseDir: '.', env: {}, servers })
  return { count: () => model.count?.(request, signal), asked: server.asked }
}

const first = (asked: readonly Asked[]) => asked[0] as Asked

test('Anthropic counts the request without the fields that only an answer needs', async () => {
  const { count, asked } = await counting('anthropic/claude-opus-5', {
    '/v1/messages/count_tokens': { input_tokens: 412 },
  })
  expect(await count()).toBe(412)
  const { body, headers } = first(asked)
  expect(Object.keys(body).toSorted()).toEqual(['messages', 'model', 'output_config', 'system', 'thinking', 'tools'])
  expect(body).toMatchObject({ model: 'claude-opus-5', system: [{ text: 'You count.' }], tools: [{ name: 'Read' }] })
  expect(headers).toHaveProperty('anthropic-version')
})

test('OpenAI counts the input of a response', async () => {
  const answers = { '/v1/responses/input_tokens': { object: 'response.input_tokens', input_tokens: 97 } }
  const { count, asked } = await counting('openai/gpt-5.5', answers)
  expect(await count()).toBe(97)
  const { body } = first(asked)
  expect(body).toMatchObject({ model: 'gpt-5.5', tools: [{ name: 'Read' }], reasoning: { effort: 'high' } })
  for (const name of ['stream', 'store', 'max_output_tokens', 'metadata', 'include'])
    expect(body).not.toHaveProperty(name)
})

test('the class for Vertex has the count of its project asked', async () => {
  const path = '/v1/projects/p1/locations/europe-west1/publishers/anthropic/models/count-tokens:rawPredict'
  const spec = { region: 'europe-west1', project: 'p1' }
  const { count, asked } = await counting('vertex/claude-opus-5', { [path]: { input_tokens: 55 } }, spec)
  expect(await count()).toBe(55)
  expect(first(asked).body).toMatchObject({ model: 'claude-opus-5', anthropic_version: expect.any(String) as string })
})

test('the class for Foundry counts, too', async () => {
  const path = '/v1/messages/count_tokens'
  const { count, asked } = await counting('foundry/claude-opus-5', { [path]: { input_tokens: 56 } }, { base: '' })
  expect(await count()).toBe(56)
  expect(asked).toHaveLength(1)
})

test('the class for Bedrock has no count', async () => {
  const { count } = await counting('bedrock/anthropic.claude-opus-5', {}, { region: 'eu-west-1' })
  expect(count()).toBeUndefined()
})

test('llama.cpp writes the prompt with its tools, then counts its tokens', async () => {
  const answers = { '/apply-template': { prompt: '<|im_start|>…' }, '/tokenize': { tokens: [1, 2, 3, 4, 5] } }
  const { count, asked } = await counting('llama-cpp/qwen3', answers, { local: true })
  expect(await count()).toBe(5)
  expect(asked.map(({ path }) => path)).toEqual(['/apply-template', '/tokenize'])
  expect(first(asked).body).toMatchObject({
    messages: [{ role: 'system' }, { role: 'user' }],
    tools: [{ type: 'function' }],
  })
  expect((asked[1] as Asked).body).toMatchObject({ content: '<|im_start|>…', add_special: true, parse_special: true })
})

test('vLLM counts a conversation at once; a local server of an unknown kind is asked in both ways', async () => {
  const answers = { '/tokenize': { count: 31, max_model_len: 4_096, tokens: [] } }
  const known = await counting('vllm/m', answers, { local: true })
  expect(await known.count()).toBe(31)
  expect(known.asked).toHaveLength(1)
  const box = await counting('box/m', answers, { local: true })
  expect(await box.count()).toBe(31)
  expect(box.asked.map(({ path }) => path)).toEqual(['/apply-template', '/tokenize'])
})

test('servers that do not count are left alone: Ollama and far chat servers at once, others after three times', async () => {
  const ollama = await counting('ollama/m', {}, { local: true })
  expect(ollama.count()).toBeUndefined()
  const gateway = await counting('anthropic/claude-opus-5', {})
  for (let n = 0; n < 6; n += 1) expect(await gateway.count()).toBeNull()
  expect(gateway.asked).toHaveLength(3)
})

test.each([{ input_tokens: -1 }, { input_tokens: 'many' }, { input_tokens: 1e300 }, [], null, 'no'])(
  'an answer of %o is no count',
  async (answer) => {
    const { count } = await counting('anthropic/m', { '/v1/messages/count_tokens': answer ?? 'null' })
    expect(await count()).toBeNull()
  },
)
