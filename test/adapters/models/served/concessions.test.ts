import { afterAll, expect, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import type { Model } from '../../../../src/protocol/models/model.ts'
import { listen, request } from '../../../contracts/model.ts'
import { modelServer, sendEvents, sendJson, type ModelServer } from '../support/model-server.ts'
import { anthropicSpoken, chatSpoken, responsesSpoken } from '../support/spoken.ts'

const servers: ModelServer[] = []
afterAll(() => Promise.all(servers.map((server) => server.close())))

async function picky(
  name: string,
  refuses: RegExp,
  spoken: readonly unknown[],
): Promise<{ model: Model; server: ModelServer }> {
  const server = await modelServer(({ text }, response) => {
    const refused = refuses.exec(text)?.[0]
    if (refused === undefined) sendEvents(response, spoken)
    else sendJson(response, 400, { error: { message: `Unsupported parameter: ${refused}` } })
  })
  servers.push(server)
  const env = {
    ANTHROPIC_API_KEY: 'k',
    ANTHROPIC_BASE_URL: server.root,
    OPENAI_API_KEY: 'k',
    OPENAI_BASE_URL: server.root,
    OPENAI_COMPATIBLE_BASE_URL: server.root,
  }
  return { server, model: await openModel(`${name}/m`, { baseDir: '.', env }) }
}

test.for([
  ['anthropic', /cache_control/, anthropicSpoken],
  ['openai', /encrypted_content/, responsesSpoken],
  ['openai-compatible', /stream_options/, chatSpoken],
  ['openai-compatible', /max_tokens/, chatSpoken],
] as const)('%s does without what the server refuses, and remembers (%s)', async ([name, refuses, spoken]) => {
  const { model, server } = await picky(name, refuses, spoken)
  const asked = { ...request, max_tokens: 99 }
  expect((await listen(model, asked)).message.stop).toBe('tools')
  expect((await listen(model, asked)).message.stop).toBe('tools')
  expect(server.asked).toHaveLength(3)
  expect(server.asked[0]?.text).toMatch(refuses)
})

test('a refusal that names nothing optional is a failure, asked once', async () => {
  const { model, server } = await picky('openai-compatible', /messages/, chatSpoken)
  expect((await listen(model)).message.failure?.code).toBe('invalid_request')
  expect(server.asked).toHaveLength(1)
})
