import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer, LoginNeeded } from '../../../src/adapters/mcp/client/connect.ts'
import { oauthOf } from '../../../src/adapters/mcp/client/oauth.ts'
import { loginFile } from '../../../src/adapters/mcp/client/token-file.ts'
import type { McpServerSpec } from '../../../src/protocol/mcp/server-spec.ts'

interface Message {
  readonly id?: number
  readonly method?: string
}

const tool = { name: 'echo', inputSchema: { type: 'object' } }
const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'here', version: '1' },
  },
  'tools/list': { tools: [tool] },
}

const answerTo = ({ id, method = '' }: Message, result: unknown = results[method] ?? {}): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

function site(listener: RequestListener) {
  const server = createServer(listener)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const listening = new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  )
  return { server, listening }
}

/** A server that answers as it should, but for calls of its tool. */
function speaks(called: (message: Message, response: ServerResponse) => void): RequestListener {
  return (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      if (request.method !== 'POST') {
        response.writeHead(405).end()
        return
      }
      const message = JSON.parse(body) as Message
      if (message.method === 'tools/call') called(message, response)
      else if (message.id === undefined) response.writeHead(202).end()
      else response.writeHead(200, { 'content-type': 'application/json' }).end(answerTo(message))
    })
  }
}

const place = { cwd: '/', env: {}, version: '1', roots: [], question: () => Promise.resolve({ refusal: 'no' }) }
const connect = (spec: McpServerSpec) => connectServer({ startupTimeout: 20_000, ...spec }, place)
const call = { kind: 'tool', tool: 'echo', input: {} } as const
const how = { signal: new AbortController().signal, progress: () => undefined }

test.for([
  ['drips', { 'content-type': 'application/json' }, ' '],
  ['drips in a stream', { 'content-type': 'text/event-stream' }, ':\n\n'],
] as const)('an answer that %s is let go', async ([, head, drop]) => {
  const gone = Promise.withResolvers<void>()
  const { listening } = site(
    speaks((_, response) => {
      response.writeHead(200, head)
      const drip = setInterval(() => response.write(drop), 20)
      response.once('close', () => {
        clearInterval(drip)
        gone.resolve()
      })
    }),
  )
  const { ask, close } = await connect({ url: `${await listening}/mcp`, timeout: 50 })
  expect(await ask(call, how)).toMatchObject({ trouble: expect.stringMatching(/no answer within 0.05 s/) as string })
  await gone.promise
  await close()
})

test.for([
  ['one answer', { 'content-type': 'application/json' }, 'x'],
  ['one event', { 'content-type': 'text/event-stream' }, 'data: x'],
] as const)('%s that never ends is cut off', async ([, head, word]) => {
  const gone = Promise.withResolvers<number>()
  const { listening } = site(
    speaks((_, response) => {
      response.writeHead(200, head)
      let sent = 0
      const chunk = word.repeat(100_000)
      const pour = (): void => {
        sent += chunk.length
        if (response.write(chunk)) setImmediate(pour)
        else response.once('drain', pour)
      }
      response.once('close', () => gone.resolve(sent))
      response.on('error', () => undefined)
      pour()
    }),
  )
  const { ask, close } = await connect({ url: `${await listening}/mcp`, timeout: 30_000 })
  const answer = ask(call, { ...how, signal: AbortSignal.any([]) })
  expect(await gone.promise).toBeLessThan(64 * 1024 * 1024)
  await close()
  expect(await answer).toHaveProperty('trouble')
})

test('a stream that never names its endpoint is not waited for', async () => {
  const { listening } = site(
    (_, response) => void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n'),
  )
  const begun = connect({ url: `${await listening}/sse`, type: 'sse', startupTimeout: 300 })
  await expect(begun).rejects.toThrow(/did not begin within 0.3 s/)
})

test.for(['http', 'sse'] as const)('%s: a login gets none of the headers of the entry', async (type) => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-headers-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const seen = new Map<string, IncomingHttpHeaders>()
  const note = (where: string, path: string, headers: IncomingHttpHeaders) => seen.set(`${where} ${path}`, headers)
  const keeper = site(({ url = '', headers }, response) => {
    note('keeper', url, headers)
    const json = (body: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (url.startsWith('/.well-known/')) void keeper.listening.then((issuer) => json(metadataOf(issuer)))
    else json({ client_id: 'us', redirect_uris: [] })
  })
  const server = site(({ url = '', headers }, response) => {
    note('server', url, headers)
    if (url.startsWith('/.well-known/oauth-protected-resource'))
      void Promise.all([server.listening, keeper.listening]).then(([resource, issuer]) =>
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ resource: `${resource}/mcp`, authorization_servers: [issuer] })),
      )
    else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  })
  const spec = { type, url: `${await server.listening}/mcp`, headers: { 'x-api-key': 'secret' } }
  const auth = oauthOf(spec, await loginFile({ home, env: {} }, spec.url), null)
  await expect(connectServer(spec, { ...place, auth })).rejects.toThrow(LoginNeeded)
  const told = [...seen].filter(([, headers]) => headers['x-api-key'] !== undefined).map(([where]) => where)
  expect(told).toEqual(['server /mcp'])
  expect([...seen.keys()].filter((where) => where.startsWith('keeper')).length).toBeGreaterThan(0)
})

function metadataOf(issuer: string): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    response_types_supported: ['code'],
    code_challenge_methods_supported: ['S256'],
  }
}

test('a WebSocket carries the headers of the entry, and no message that is too long', async () => {
  const heads: IncomingHttpHeaders[] = []
  const { server, listening } = site((_, response) => void response.writeHead(404).end())
  server.on('upgrade', ({ headers }, socket) => {
    heads.push(headers)
    const key = `${headers['sec-websocket-key'] ?? ''}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
    const accept = createHash('sha1').update(key).digest('base64')
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\nSec-WebSocket-Protocol: mcp\r\n\r\n`,
    )
    let bytes: Buffer = Buffer.alloc(0)
    socket.on('error', () => undefined)
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk])
      for (let frame = takeFrame(bytes); frame !== null; frame = takeFrame(bytes)) {
        bytes = frame.rest
        if (frame.code !== 1) continue
        const message = JSON.parse(frame.text) as Message
        if (message.method === 'tools/call')
          socket.write(frameOf(answerTo(message, { content: [{ type: 'text', text: 'x'.repeat(11 << 20) }] })))
        else if (message.id !== undefined) socket.write(frameOf(answerTo(message)))
      }
    })
  })
  const url = (await listening).replace('http', 'ws')
  const { listing, ask, close } = await connect({ url, headers: { 'x-api-key': 'secret' } })
  expect(heads.map((each) => each['x-api-key'])).toEqual(['secret'])
  expect(listing.tools.map(({ name }) => name)).toEqual(['echo'])
  expect(await ask(call, how)).toMatchObject({ trouble: expect.stringMatching(/connection broke/) as string })
  await close()
})

/** The first frame in the bytes of a client, which masks them. */
function takeFrame(bytes: Buffer): { readonly code: number; readonly text: string; readonly rest: Buffer } | null {
  if (bytes.length < 6) return null
  const short = (bytes[1] ?? 0) & 0x7f
  const [length, at] = short === 126 ? [bytes.readUInt16BE(2), 4] : [short, 2]
  if (bytes.length < at + 4 + length) return null
  const mask = bytes.subarray(at, at + 4)
  const body = Buffer.from([...bytes.subarray(at + 4, at + 4 + length)].map((byte, i) => byte ^ (mask[i % 4] ?? 0)))
  return { code: (bytes[0] ?? 0) & 0x0f, text: body.toString('utf8'), rest: bytes.subarray(at + 4 + length) }
}

function frameOf(text: string): Buffer {
  const body = Buffer.from(text)
  const head = Buffer.alloc(body.length < 126 ? 2 : 10)
  head[0] = 0x81
  if (body.length < 126) head[1] = body.length
  else {
    head[1] = 127
    head.writeBigUInt64BE(BigInt(body.length), 2)
  }
  return Buffer.concat([head, body])
}
