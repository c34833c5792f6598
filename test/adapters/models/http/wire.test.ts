import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { openWire, textIn, type Wire, type WireResponse } from '../../../../src/adapters/models/http/wire.ts'
import { listen } from '../../../contracts/model.ts'
import { modelServer, sendEvents, type ModelServer } from '../support/model-server.ts'
import { anthropicHanging, anthropicSpoken } from '../support/spoken.ts'

const servers: { close(): unknown }[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

const served = async (...given: Parameters<typeof modelServer>): Promise<ModelServer> => {
  const server = await modelServer(...given)
  servers.push(server)
  return server
}

const place = (root: string) => ({ baseDir: '.', env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: root } })

const read = async (root: string, wire: Wire = openWire({}, { idleMs: 1_000 }), headers = {}): Promise<string> => {
  const response: unknown = await wire(root, { method: 'POST', body: Buffer.from('{}'), headers })
  return textIn((response as WireResponse).stream)
}

test.for([
  ['gzip', gzipSync],
  [' GZIP', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
] as const)('a body in %s is read', async ([encoding, compress]) => {
  const server = await served((_, response) => {
    response.writeHead(200, { 'content-encoding': encoding }).end(compress('words ✓'))
  })
  await expect(read(server.root)).resolves.toBe('words ✓')
})

test('a kept connection that died meanwhile is replaced unseen', async () => {
  let accepted = 0
  // Answers one request per connection and hangs up on the second without a word.
  const server = createServer((socket) => {
    accepted += 1
    let requests = 0
    socket.on('error', () => undefined)
    socket.on('data', (data) => {
      if (!data.toString().includes('POST')) return
      requests += 1
      if (requests > 1) socket.resetAndDestroy()
      else socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: keep-alive\r\n\r\nok')
    })
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const wire = openWire({}, { idleMs: 1_000 })
  const ask = (): Promise<string> => read(`http://127.0.0.1:${port}`, wire)
  expect(await ask()).toBe('ok')
  expect(await ask()).toBe('ok')
  expect(accepted).toBe(2)
})

test('proxies of the environment are used', async () => {
  const proxy = await served((_, response) => response.end('through'))
  const wire = openWire({ http_proxy: proxy.root }, { idleMs: 1_000 })
  expect(await read('http://model.invalid/v1', wire)).toBe('through')
  expect(proxy.asked[0]?.path).toBe('http://model.invalid/v1')
})

test('a name and a password in the address sign the request, unless it is signed', async () => {
  const server = await served((_, response) => response.end('ok'))
  const address = server.root.replace('//', '//me:word@')
  await read(address)
  await read(address, openWire({}, { idleMs: 1_000 }), { authorization: 'Bearer k' })
  expect(server.asked.map(({ headers }) => headers.authorization)).toEqual([`Basic ${btoa('me:word')}`, 'Bearer k'])
})

test.for([
  ['never begins', [], { firstByteMs: 50 }],
  ['falls silent', anthropicHanging, { idleMs: 50 }],
] as const)('a server that %s is waited for only so long', async ([, events, patience]) => {
  const server = await served((_, response) => {
    if (events.length > 0) sendEvents(response, events, true)
  })
  const model = await openModel('anthropic/m', { ...place(server.root), patience })
  const { message } = await listen(model)
  expect(message).toMatchObject({ stop: 'error', failure: { code: 'timed_out' } })
})

test('words that come after too long a silence are not heard, though no timer was seen before them', async () => {
  let time = 0
  let go = (): void => undefined
  const server = await served((_, response) => {
    response.write('the first words, ')
    go = () => void response.end('and the last ones')
  })
  const wire = openWire({}, { idleMs: 60_000, monotonic: () => time })
  const { stream } = (await wire(server.root, { method: 'POST' })) as unknown as WireResponse
  const read = textIn(
    stream.once('data', () => {
      time += 60_001
      go()
    }),
  )
  await expect(read).rejects.toMatchObject({ code: 'ETIMEDOUT', message: 'the server was silent for 60 s' })
})

test('an abort while the server has not answered settles at once', async () => {
  const server = await served(() => abort.abort())
  const abort = new AbortController()
  const model = await openModel('anthropic/m', place(server.root))
  const { message } = await listen(model, undefined, { signal: abort.signal })
  expect(message).toMatchObject({ stop: 'aborted', content: [] })
})

test('an abort after the last word changes nothing', async () => {
  const server = await served((_, response) => sendEvents(response, anthropicSpoken))
  const model = await openModel('anthropic/m', place(server.root))
  const abort = new AbortController()
  const { message } = await listen(model, undefined, {
    signal: abort.signal,
    onEvent: ({ type }) => {
      if (type === 'settled') abort.abort()
    },
  })
  expect(message.stop).toBe('tools')
})
