import { afterAll, expect, test } from 'vitest'
import { imageSize } from '../../../../src/adapters/fs/image-size.ts'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import type { Model } from '../../../../src/protocol/models/model.ts'
import { imageRefusals } from '../../../../src/adapters/models/served/image-view.ts'
import { listen, request } from '../../../contracts/model.ts'
import { paintedPng } from '../../../support/painted-png.ts'
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

const picture = (bytes: Buffer) => ({
  type: 'image' as const,
  media_type: 'image/png',
  data: bytes.toString('base64'),
})
const shows = (...content: readonly ReturnType<typeof picture>[]) => ({
  ...request,
  messages: content.map((image) => ({ role: 'user' as const, origin: 'person' as const, content: [image] })),
})

/** The images of a request, by the bytes of each. */
function imagesIn(text = ''): readonly Buffer[] {
  return [...text.matchAll(/"(?:data:image\/\w+;base64,)?((?:iVBOR|\/9j\/)[\w+/=]+)"/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64'),
  )
}

const apis = [
  ['anthropic', anthropicSpoken],
  ['openai', responsesSpoken],
  ['openai-compatible', chatSpoken],
] as const

/** A server that refuses images like a vendor's, and a model behind it. */
async function looking(
  name: string,
  spoken: readonly unknown[],
  refusal: (images: readonly Buffer[]) => string | null,
) {
  const server = await modelServer(({ text }, response) => {
    const message = refusal(imagesIn(text))
    if (message === null) sendEvents(response, spoken)
    else sendJson(response, 400, { error: { message } })
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

const tooWide = 'messages.0: image dimensions exceed max allowed size: 8000 pixels'
const widest = (images: readonly Buffer[]) => Math.max(...images.map((bytes) => imageSize(bytes)?.width ?? 0))

test.for(apis)(
  '%s: a size that is refused makes the large image smaller, not the small one',
  async ([name, spoken]) => {
    const [large, small] = [picture(paintedPng(9_000, 90)), picture(paintedPng(90, 100))]
    const { server, model } = await looking(name, spoken, (images) => (widest(images) > 8_000 ? tooWide : null))
    const { message } = await listen(model, shows(large, small))
    expect(message.conceded).toMatchObject([{ feature: 'large images', back: false }])
    expect(imagesIn(server.asked[1]?.text).map(imageSize)).toEqual([
      { width: 2_000, height: 20 },
      { width: 90, height: 100 },
    ])
    expect((await listen(model, shows(large, small))).message.conceded).toBeUndefined()
    expect(server.asked[2]?.text).toBe(server.asked[1]?.text)
  },
)

test.for(apis)('%s: an image that is still too large becomes smaller once more', async ([name, spoken]) => {
  const stricter = 'image dimensions exceed max allowed size: 1000 pixels'
  const { server, model } = await looking(name, spoken, (images) => (widest(images) > 1_000 ? stricter : null))
  const [large, medium] = [picture(paintedPng(9_000, 90)), picture(paintedPng(1_500, 90))]
  const { message } = await listen(model, shows(large, medium))
  expect(message.conceded).toMatchObject([{ feature: 'large images' }, { feature: 'images of more than 1,000 pixels' }])
  expect(imagesIn(server.asked.at(-1)?.text).map(imageSize)).toEqual([
    { width: 1_000, height: 10 },
    { width: 1_000, height: 60 },
  ])
})

test.for([
  ['Too many images in request. Max is 500.', true],
  ['At most 1 image(s) may be provided in one prompt.', true],
  ['This model supports up to 5 images', true],
  ['Please use fewer than 16 images in your request', true],
  ['The maximum number of images is 8', true],
  ['image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes', false],
  ['the maximum image size is 20 MB', false],
  ['image dimensions exceed max allowed size for many-image requests: 2000 pixels', false],
] as const)('%s: about their number: %s', ([refusal, isNumber]) => {
  const refused = Object.entries(imageRefusals).filter(([, pattern]) => pattern.test(refusal))
  expect(refused[0]?.[0]).toBe(isNumber ? 'many_images' : 'large_images')
})

test('an image that cannot be made smaller becomes a note of it', async () => {
  const broken = picture(paintedPng(9_000, 90).subarray(0, 80))
  const { server, model } = await looking('anthropic', anthropicSpoken, (images) =>
    widest(images) > 8_000 ? tooWide : null,
  )
  await listen(model, shows(broken, picture(paintedPng(9, 9))))
  expect(server.asked[1]?.text).toContain('of 9000 × 90 pixels, which is too large to be shown')
  expect(imagesIn(server.asked[1]?.text)).toHaveLength(1)
})

test.for(apis)('%s: of too many images the latest are shown', async ([name, spoken]) => {
  let most = 20
  const { server, model } = await looking(name, spoken, (images) =>
    images.length > most ? `Too much media: 0 document pages + ${images.length} images > ${most}` : null,
  )
  const images = Array.from({ length: 31 }, (_, index) => picture(paintedPng(1 + index, 1)))
  const widths = () => imagesIn(server.asked.at(-1)?.text).map((bytes) => imageSize(bytes)?.width)
  const asked = shows(...images.slice(0, 24))
  expect((await listen(model, asked)).message.conceded).toMatchObject([{ feature: 'more than 20 images' }])
  expect(widths()).toEqual(Array.from({ length: 14 }, (_, index) => 11 + index))
  expect(server.asked.at(-1)?.text).toContain('no longer shown')
  asked.messages.push(...shows(...images.slice(24)).messages)
  await listen(model, asked)
  expect(widths()).toEqual(Array.from({ length: 11 }, (_, index) => 21 + index))
  most = 1
  expect((await listen(model, asked)).message.conceded).toMatchObject([{ feature: 'more than one image' }])
  expect(widths()).toEqual([31])
})

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
