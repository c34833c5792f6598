import type { ServerResponse } from 'node:http'
import { afterAll, describe, expect, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { ModelUnavailable } from '../../../../src/adapters/models/served/model-unavailable.ts'
import { textOf } from '../../../../src/protocol/conversation/message.ts'
import type { Model, ModelEvent } from '../../../../src/protocol/models/model.ts'
import { listen, modelContract, request } from '../../../contracts/model.ts'
import { modelServer, sendEvents, sendJson, type Asked, type ModelServer } from '../support/model-server.ts'
import {
  anthropicHanging,
  anthropicSpoken,
  chatHanging,
  chatSpoken,
  responsesHanging,
  responsesSpoken,
} from '../support/spoken.ts'

const servers: ModelServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

const key = 'secret-key-0123456789'

interface Provider {
  readonly name: string
  readonly path: string
  readonly spoken: readonly unknown[]
  readonly hanging: readonly unknown[]
}

const providers: readonly Provider[] = [
  { name: 'anthropic', path: '/v1/messages', spoken: anthropicSpoken, hanging: anthropicHanging },
  { name: 'openai', path: '/v1/responses', spoken: responsesSpoken, hanging: responsesHanging },
  { name: 'openai-compatible', path: '/v1/chat/completions', spoken: chatSpoken, hanging: chatHanging },
]

type Reply = (asked: Asked, response: ServerResponse) => void

async function served({ name }: Pick<Provider, 'name'>, reply: Reply): Promise<{ model: Model; server: ModelServer }> {
  const server = await modelServer(reply)
  servers.push(server)
  return { server, model: await openModel(`${name}/test-model`, { baseDir: '.', env: envFor(server.root) }) }
}

function envFor(root: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: key,
    ANTHROPIC_BASE_URL: root,
    OPENAI_API_KEY: key,
    OPENAI_BASE_URL: `${root}/v1`,
    OPENAI_COMPATIBLE_API_KEY: key,
    OPENAI_COMPATIBLE_BASE_URL: `${root}/v1`,
  }
}

const speaking = async (provider: Provider): Promise<Model> =>
  (await served(provider, (_, response) => sendEvents(response, provider.spoken))).model

for (const provider of providers) {
  modelContract(provider.name, {
    speaks: () => speaking(provider),
    fails: async () =>
      (await served(provider, (_, response) => sendJson(response, 529, { error: { message: 'Overloaded' } }))).model,
    hangs: async () => (await served(provider, (_, response) => sendEvents(response, provider.hanging, true))).model,
  })
}

describe.for(providers)('$name', (provider) => {
  test('an answer in pieces is put together', async () => {
    const { message, thinking } = await listen(await speaking(provider))
    expect(textOf(message)).toBe('One two three four.')
    expect(thinking).toBe('Let me see.')
    expect(message.content.at(-1)).toMatchObject({ name: 'Read', input: { file_path: 'a.txt' } })
    expect(message.usage).toEqual({ input: 7, output: 9, cache_read: 3, cache_write: 0 })
  })

  test('what was thought goes back as it came, in the next request', async () => {
    const { model, server } = await served(provider, (_, response) => sendEvents(response, provider.spoken))
    const { message } = await listen(model)
    await listen(model, { ...request, messages: [...request.messages, message] })
    expect(server.asked[1]?.text).toMatch(
      /"signature":"sig"|"encrypted_content":"sealed"|"reasoning_content":"Let me see\."/,
    )
  })

  test('it asks on the right path, with the key, over connections that are kept', async () => {
    const { model, server } = await served(provider, (_, response) => sendEvents(response, provider.spoken))
    for (let turn = 0; turn < 5; turn += 1) await listen(model)
    expect(server.asked.map(({ path }) => path)).toEqual(Array.from({ length: 5 }, () => provider.path))
    expect(JSON.stringify(server.asked[0]?.headers)).toContain(key)
    // The end of an answer may arrive after the next request has left.
    expect(server.connections()).toBeLessThanOrEqual(2)
  })

  test('a key that a server repeats is not repeated', async () => {
    const said = { error: { type: 'invalid_request_error', message: `bad key ${key} and sk-ant-0123456789abcdef` } }
    const { model } = await served(provider, (_, response) => sendJson(response, 401, said))
    const { message } = await listen(model)
    expect(message.failure).toMatchObject({ code: 'unauthorized', status: 401 })
    expect(JSON.stringify(message)).not.toMatch(/0123456789/)
  })

  test('a redirect is not followed: the key would go with it', async () => {
    const { model, server } = await served(provider, (_, response) => {
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    expect((await listen(model)).message.failure?.code).toBe('not_found')
    expect(server.asked).toHaveLength(1)
  })

  test('nobody there is a lost connection', async () => {
    const model = await openModel(`${provider.name}/x`, { baseDir: '.', env: envFor('http://127.0.0.1:1') })
    expect((await listen(model)).message.failure).toMatchObject({ code: 'connection_lost' })
  })

  test('an answer that breaks off keeps its words and drops its call', async () => {
    const cut = provider.spoken.slice(0, -4)
    const { model } = await served(provider, (_, response) => sendEvents(response, cut))
    const { message } = await listen(model)
    expect(message).toMatchObject({ stop: 'error', failure: { code: 'stream_broken' } })
    expect(textOf(message)).toBe('One two three four.')
    expect(message.content.filter(({ type }) => type === 'tool_use')).toEqual([])
  })

  test('after the last word nobody waits for the connection to end', async () => {
    const { model } = await served(provider, (_, response) => sendEvents(response, provider.spoken, true))
    expect((await listen(model)).message.stop).toBe('tools')
  })

  test('an error in the middle of an answer ends it, and the connection', async () => {
    let closed: Promise<unknown> | undefined
    const { model } = await served(provider, (_, response) => {
      closed = new Promise((resolve) => response.on('close', resolve))
      const broken = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }
      sendEvents(response, [...provider.hanging, broken], true)
    })
    const { message } = await listen(model)
    expect(message).toMatchObject({ stop: 'error', failure: { code: 'overloaded' } })
    expect(textOf(message)).toBe('One two three four.')
    await expect(closed).resolves.toBeUndefined()
  })

  test('an abort closes the connection at once', async () => {
    let closed: Promise<unknown> | undefined
    const { model } = await served(provider, (_, response) => {
      closed = new Promise((resolve) => response.on('close', resolve))
      sendEvents(response, provider.hanging, true)
    })
    const abort = new AbortController()
    const onEvent = ({ type }: ModelEvent): void => {
      if (type === 'text') abort.abort()
    }
    expect((await listen(model, request, { signal: abort.signal, onEvent })).message.stop).toBe('aborted')
    await expect(closed).resolves.toBeUndefined()
  })
})

const unnamed = async (name: string, reply: Reply): Promise<ModelUnavailable> => {
  const server = await modelServer(reply)
  servers.push(server)
  const error: unknown = await openModel(name, { baseDir: '.', env: envFor(server.root) }).catch(
    (reason: unknown) => reason,
  )
  if (!(error instanceof ModelUnavailable)) throw new Error(`${name} was opened`)
  return error
}

test.for(['openai-compatible/', 'openai-compatible', 'openai/'])('%s lists what the server offers', async (name) => {
  const offered = { object: 'list', data: [{ id: 'qwen3' }, { id: 'llama' }] }
  const { failure } = await unnamed(name, ({ path }, response) =>
    sendJson(response, path === '/v1/models' ? 200 : 404, offered),
  )
  expect(failure.remedy).toBe('The server offers: llama, qwen3')
})

test('a server that lists nothing says why', async () => {
  const { failure } = await unnamed('openai-compatible/', (_, response) =>
    sendJson(response, 404, { error: 'no such page' }),
  )
  expect(failure.remedy).toContain('404 no such page')
})

test('openai speaks chat completions when told to', async () => {
  const server = await modelServer((_, response) => sendEvents(response, chatSpoken))
  servers.push(server)
  const model = await openModel('openai/x', { baseDir: '.', env: envFor(server.root), api: 'chat' })
  expect((await listen(model)).message.stop).toBe('tools')
  expect(server.asked[0]?.path).toBe('/v1/chat/completions')
})
