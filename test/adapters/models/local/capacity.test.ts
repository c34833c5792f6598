import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import type { ProviderSpec } from '../../../../src/protocol/words/provider-spec.ts'
import { llamaCppServer, ollamaServer, type LocalServer } from '../../../support/vendors/local-servers.ts'
import { modelServer, sendJson, type ModelServer } from '../support/model-server.ts'

const options = { model: 'qwen3:8b', window: 8_192, trained: 40_960, speak: () => ({ text: 'Yes.' }) }
const signal = new AbortController().signal

async function capacity(server: ModelServer, name: string, spec: ProviderSpec = {}) {
  onTestFinished(server.close)
  const [provider = ''] = name.split('/', 1)
  const servers = { [provider]: { base_url: `${server.root}/v1`, local: true, ...spec } }
  const model = await openModel(name, { baseDir: '.', env: {}, servers })
  return { model, told: await model.capacity?.(signal) }
}

/** A server that answers these paths alone, and all others as LM Studio does: with 200, and an error. */
const answering = (answers: Readonly<Record<string, object>>): Promise<ModelServer> =>
  modelServer(({ path }, response) => sendJson(response, 200, answers[path] ?? { error: 'Unexpected endpoint' }))

test('llama.cpp tells the window of a slot, and its slots', async () => {
  const { told } = await capacity(await llamaCppServer({ ...options, slots: 2 }), 'llama-cpp/qwen3:8b')
  expect(told).toMatchObject({
    window: 8_192,
    slots: 2,
    trained: 40_960,
    widen: expect.stringContaining('-c') as string,
  })
})

test('Ollama loads a model to tell its window, once', async () => {
  const server = await ollamaServer(options)
  const { told, model } = await capacity(server, 'ollama/qwen3:8b')
  expect(told).toMatchObject({ window: 8_192, slots: 1, trained: 40_960 })
  await model.capacity?.(signal)
  expect(server.asked.map(({ path }) => path)).toEqual(['/api/show', '/api/ps', '/api/generate', '/api/ps'])
})

test('a model that Ollama does not have is no failure here', async () => {
  expect((await capacity(await ollamaServer(options), 'ollama/other')).told).toBeNull()
})

test('LM Studio knows the window of a model once it is loaded', async () => {
  const about: Record<string, unknown> = { id: 'phi-4', state: 'not-loaded', max_context_length: 16_384 }
  const server = await answering({ '/api/v0/models/phi-4': about })
  const { told, model } = await capacity(server, 'lmstudio/phi-4')
  expect(told).toEqual({ trained: 16_384, widen: expect.stringContaining('LM Studio') as string })
  about['loaded_context_length'] = 4_096
  expect(await model.capacity?.(signal)).toMatchObject({ window: 4_096 })
})

test('vLLM lists the window of each of its models', async () => {
  const data = [
    { id: 'other', max_model_len: 512 },
    { id: 'Qwen/Qwen3-8B', object: 'model', max_model_len: 32_768 },
  ]
  const { told } = await capacity(await answering({ '/v1/models': { data } }), 'vllm/Qwen/Qwen3-8B')
  expect(told).toMatchObject({ window: 32_768 })
})

test('a server of this machine under a name of its own is asked in each way', async () => {
  const found = async (server: LocalServer) => (await capacity(server, 'box/qwen3:8b')).told
  expect(await found(await llamaCppServer(options))).toMatchObject({ window: 8_192, slots: 1 })
  expect(await found(await ollamaServer(options))).toMatchObject({ window: 8_192, slots: 1 })
})

test('a server that tells nothing is asked three times at most', async () => {
  const server = await answering({})
  const { told, model } = await capacity(server, 'vllm/m')
  expect(told).toBeNull()
  for (let n = 0; n < 5; n += 1) expect(await model.capacity?.(signal)).toBeNull()
  expect(server.asked).toHaveLength(3)
})

test('slots that a person names go before those of the server', async () => {
  const { told } = await capacity(await ollamaServer(options), 'ollama/qwen3:8b', { slots: 4 })
  expect(told).toMatchObject({ window: 8_192, slots: 4 })
  const far = await capacity(await answering({}), 'gateway/m', { local: false, slots: 3 })
  expect(far.told).toEqual({ slots: 3 })
  expect((await capacity(await answering({}), 'gateway/m', { local: false })).told).toBeUndefined()
})

test('nobody who has left waits for a model to be loaded', async () => {
  const server = await modelServer(() => undefined)
  onTestFinished(server.close)
  const servers = { ollama: { base_url: server.root, local: true } }
  const model = await openModel('ollama/m', { baseDir: '.', env: {}, servers })
  const leaving = new AbortController()
  const waiting = model.capacity?.(leaving.signal)
  leaving.abort()
  expect(await waiting).toBeNull()
})
