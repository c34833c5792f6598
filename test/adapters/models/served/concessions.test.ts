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

const picture = (width: number, height: number) => {
  const head = Buffer.alloc(64)
  head.writeUInt32BE(0x89_50_4e_47, 0)
  head.writeUInt32BE(width, 16)
  head.writeUInt32BE(height, 20)
  return { type: 'image' as const, media_type: 'image/png', data: head.toString('base64') }
}

test.for(['anthropic', 'openai', 'openai-compatible'] as const)(
  '%s: a size that is refused hides the large image, not the small one, and is told',
  async (name) => {
    const spoken = { anthropic: anthropicSpoken, openai: responsesSpoken, 'openai-compatible': chatSpoken }[name]
    const large = picture(9_000, 100)
    const small = picture(90, 100)
    const server = await modelServer(({ text }, response) => {
      if (!text.includes(large.data)) sendEvents(response, spoken)
      else
        sendJson(response, 400, {
          error: { message: 'messages.0: image dimensions exceed max allowed size: 8000 pixels' },
        })
    })
    servers.push(server)
    const env = {
      ANTHROPIC_API_KEY: 'k',
      ANTHROPIC_BASE_URL: server.root,
      OPENAI_API_KEY: 'k',
      OPENAI_BASE_URL: server.root,
      OPENAI_COMPATIBLE_BASE_URL: server.root,
    }
    const model = await openModel(`${name}/m`, { baseDir: '.', env })
    const asked = {
      ...request,
      messages: [{ role: 'user' as const, origin: 'person' as const, content: [large, small] }],
    }
    const { message } = await listen(model, asked)
    expect(message.conceded).toMatchObject([{ feature: 'large images', back: false }])
    expect(server.asked[1]?.text).toContain('of 9000 × 100 pixels, which is too large to be shown')
    expect(server.asked[1]?.text).toContain(small.data)
    expect((await listen(model, asked)).message.conceded).toBeUndefined()
  },
)

test('what was given up is tried again after a while, and taken back where the server takes it', async () => {
  let refusing = true
  const server = await modelServer(({ text }, response) => {
    if (refusing && text.includes('reasoning_effort'))
      sendJson(response, 400, { error: { message: 'reasoning_effort is unknown' } })
    else sendEvents(response, chatSpoken)
  })
  servers.push(server)
  const model = await openModel('openai-compatible/m', {
    baseDir: '.',
    env: { OPENAI_COMPATIBLE_BASE_URL: server.root },
  })
  const asked = { ...request, effort: 'high' as const }
  const told: unknown[] = []
  for (let turn = 0; turn < 60; turn += 1) {
    if (turn === 20) refusing = false
    told.push(...((await listen(model, asked)).message.conceded ?? []))
  }
  expect(told).toMatchObject([
    { feature: 'an effort', back: false },
    { feature: 'an effort', back: true },
  ])
  expect(server.asked.at(-1)?.text).toContain('reasoning_effort')
})

test('a budget of thinking that a server does not take becomes the nearest effort', async () => {
  const { model, server } = await picky('anthropic', /budget_tokens/, anthropicSpoken)
  await listen(model, { ...request, thinking_budget: 8_000 })
  expect(server.asked[1]?.body).toMatchObject({ thinking: { type: 'adaptive' }, output_config: { effort: 'medium' } })
})

test('the highest effort falls step by step', async () => {
  const { model, server } = await picky('openai', /"effort":"x?max"|"effort":"xhigh"/, responsesSpoken)
  await listen(model, { ...request, effort: 'max' })
  expect(server.asked.map(({ body }) => (body['reasoning'] as { effort: string }).effort)).toContain('max')
})
