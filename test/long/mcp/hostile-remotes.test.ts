import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer, type ConnectOptions } from '../../../src/adapters/mcp/client/connect.ts'
import { oauthOf } from '../../../src/adapters/mcp/client/oauth.ts'
import { loginFile } from '../../../src/adapters/mcp/client/token-file.ts'
import type { McpServerSpec } from '../../../src/protocol/mcp/server-spec.ts'

interface Message {
  readonly id?: number
  readonly method?: string
}

const results: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: { listChanged: true } },
    serverInfo: { name: 'far', version: '1' },
  },
  'tools/list': { tools: [{ name: 'echo', inputSchema: { type: 'object' } }] },
}

const json = { 'content-type': 'application/json' }
const stream = { 'content-type': 'text/event-stream' }
const answer = ({ id, method = '' }: Message, result: object = results[method] ?? { content: [] }): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result })

/** A server at an address, and how many requests of each kind it had. */
async function site(listener: RequestListener) {
  const visits = new Map<string, number>()
  const server = createServer((request, response) => {
    const kind = `${request.method ?? ''} ${request.url ?? ''}`
    visits.set(kind, (visits.get(kind) ?? 0) + 1)
    listener(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, visits }
}

type Handler = (message: Message, response: ServerResponse, request: IncomingMessage) => boolean

/** A server that answers as it should, but for what `odd` answers in another way. */
function speaks(odd: Handler, get?: RequestListener): RequestListener {
  return (request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      if (request.method !== 'POST') {
        if (get) get(request, response)
        else response.writeHead(405).end()
        return
      }
      const message = JSON.parse(body) as Message
      if (odd(message, response, request)) return
      if (message.id === undefined) response.writeHead(202).end()
      else response.writeHead(200, json).end(answer(message))
    })
  }
}

const place = { cwd: '/', env: {}, version: '1', roots: [], question: () => Promise.resolve({ refusal: 'no' }) }
const connect = (spec: McpServerSpec, more: Partial<ConnectOptions> = {}) =>
  connectServer({ startupTimeout: 20_000, timeout: 5_000, ...spec }, { ...place, ...more })
const call = { kind: 'tool', tool: 'echo', input: {} } as const
const how = { signal: AbortSignal.any([]), progress: () => undefined }
const isCall = ({ method }: Message): boolean => method === 'tools/call'

test('an answer that unpacks to gigabytes is cut off', async () => {
  const { url } = await site(
    speaks((message, response) => {
      if (!isCall(message)) return false
      response.writeHead(200, { ...json, 'content-encoding': 'gzip' })
      const packed = createGzip()
      packed.pipe(response)
      response.once('close', () => packed.destroy())
      packed.on('error', () => undefined)
      const zeros = Buffer.alloc(1 << 20)
      let sent = 0
      const pour = (): void => {
        sent += 1
        if (response.destroyed || sent > 4_096) packed.end()
        else if (packed.write(zeros)) setImmediate(pour)
        else packed.once('drain', pour)
      }
      pour()
      return true
    }),
  )
  const { ask, close } = await connect({ url: `${url}/mcp`, timeout: 60_000 })
  expect(await ask(call, how)).toMatchObject({ trouble: expect.stringContaining('longer than') as string })
  await close()
})

test('a stream that ends at once and wants to be asked again at once is asked a few times a second', async () => {
  const enough = Promise.withResolvers<number>()
  const begun = performance.now()
  let streams = 0
  const { url } = await site(
    speaks(
      () => false,
      (_, response) => {
        response.writeHead(200, stream).end('retry: 0\n\n')
        streams += 1
        if (streams === 9) enough.resolve(performance.now() - begun)
      },
    ),
  )
  const { ask, close } = await connect({ url: `${url}/mcp` })
  // Four in a second, and no load makes it more.
  expect(await enough.promise).toBeGreaterThan(1_950)
  expect(await ask(call, how)).toMatchObject({ isError: false })
  await close()
})

test('cookies of a server are not sent back', async () => {
  const cookies: unknown[] = []
  const { url } = await site(
    speaks((_, response, { headers }) => {
      cookies.push(headers.cookie)
      response.setHeader('set-cookie', 'tracked=1')
      return false
    }),
  )
  const { ask, close } = await connect({ url: `${url}/mcp` })
  await ask(call, how)
  await close()
  expect(new Set(cookies)).toEqual(new Set([undefined]))
})

test('a session that is over again and again is told of, and never waited for', async () => {
  const { url } = await site(
    speaks((message, response) => {
      if (!isCall(message)) return false
      response
        .writeHead(404, json)
        .end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }))
      return true
    }),
  )
  const closed: string[] = []
  const { ask, close } = await connect({ url: `${url}/mcp` }, { closed: (reason) => closed.push(reason) })
  expect(await ask(call, how)).toEqual({
    trouble: 'its session was over; it is being connected anew',
    transient: true,
  })
  expect(closed).toEqual(['its session is over'])
  await close()
})

test.for([
  ['accepted', 'trouble'],
  ['empty', 'trouble'],
  ['html', 'trouble'],
  ['foreign id', 'trouble'],
  ['batch', 'content'],
  ['event noise', 'content'],
] as const)('an answer that is odd (%s) ends the call alone, with %s', async ([kind, end]) => {
  const { url } = await site(
    speaks((message, response) => {
      if (!isCall(message)) return false
      if (kind === 'accepted') response.writeHead(202).end()
      else if (kind === 'empty') response.writeHead(200, json).end()
      else if (kind === 'html') response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Log in</h1>')
      else if (kind === 'batch') response.writeHead(200, json).end(`[${answer(message)},${answer(message)}]`)
      else if (kind === 'foreign id') response.writeHead(200, json).end(answer({ ...message, id: 4_711 }))
      else response.writeHead(200, stream).end(`event: shout\ndata: x\n\ndata: {\n\ndata: ${answer(message)}\n\n`)
      return true
    }),
  )
  const { ask, close } = await connect({ url: `${url}/mcp`, timeout: 300 })
  expect(await ask(call, how)).toHaveProperty(end)
  expect(await ask({ kind: 'resources' }, how)).toBeDefined()
  await close()
})

test('an event stream of the older kind names no address of another origin', async () => {
  const stranger = await site((_, response) => void response.writeHead(200).end())
  const { url } = await site((_, response) => {
    response.writeHead(200, stream)
    response.write(`event: endpoint\ndata: ${stranger.url}/messages\n\n`)
  })
  await expect(
    connect({ url: `${url}/sse`, type: 'sse', headers: { 'x-api-key': 'secret' }, startupTimeout: 2_000 }),
  ).rejects.toThrow(/origin/)
  expect(stranger.visits.size).toBe(0)
})

/** A login with a token that nobody takes, of a login server beside the server. */
async function loggedIn(url: string) {
  const issuer = new URL(url).origin
  const home = mkdtempSync(join(tmpdir(), 'troupe-remote-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const file = await loginFile({ home, env: {} }, url)
  await file.change({
    client: { client_id: 'us', issuer },
    tokens: { access_token: 'old-secret', token_type: 'Bearer', refresh_token: 'refresh-secret', issuer },
  })
  return oauthOf({ url }, file, null)
}

test('a server that is content with no token is asked for a new one a few times, not for ever', async () => {
  const far = await site((request, response) => {
    const { url = '' } = request
    if (url === '/.well-known/oauth-protected-resource/mcp')
      response
        .writeHead(200, json)
        .end(JSON.stringify({ resource: `${far.url}/mcp`, authorization_servers: [far.url] }))
    else if (url.startsWith('/.well-known/'))
      response.writeHead(200, json).end(
        JSON.stringify({
          issuer: far.url,
          authorization_endpoint: `${far.url}/authorize`,
          token_endpoint: `${far.url}/token`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
        }),
      )
    else if (url === '/token')
      response
        .writeHead(200, json)
        .end(JSON.stringify({ access_token: 'new', token_type: 'Bearer', refresh_token: 'r' }))
    else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  })
  const auth = await loggedIn(`${far.url}/mcp`)
  await expect(connect({ url: `${far.url}/mcp` }, { auth })).rejects.toThrow(/login/)
  expect(far.visits.get('POST /mcp') ?? 0).toBeLessThan(10)
  expect(far.visits.get('POST /token') ?? 0).toBeLessThan(10)
})

test.for([
  ['another resource', /does not match/],
  ['another login server', /login/],
] as const)('a server that names %s than the one of the login gets no secret of it there', async ([kind, why]) => {
  const heard: string[] = []
  const stranger = await site((request, response) => {
    const { url = '' } = request
    request.setEncoding('utf8').on('data', (text: string) => heard.push(text))
    heard.push(JSON.stringify(request.headers))
    const metadata = {
      issuer: stranger.url,
      authorization_endpoint: `${stranger.url}/authorize`,
      token_endpoint: `${stranger.url}/token`,
      registration_endpoint: `${stranger.url}/register`,
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
    }
    const said = url === '/register' ? { client_id: 'them', redirect_uris: [] } : metadata
    request.on('end', () => response.writeHead(200, json).end(JSON.stringify(said)))
  })
  const far = await site(({ url = '' }, response) => {
    if (url === '/.well-known/oauth-protected-resource/mcp') {
      const resource = kind === 'another resource' ? `${stranger.url}/mcp` : `${far.url}/mcp`
      response.writeHead(200, json).end(JSON.stringify({ resource, authorization_servers: [stranger.url] }))
    } else response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
  })
  const auth = await loggedIn(`${far.url}/mcp`)
  await expect(connect({ url: `${far.url}/mcp` }, { auth })).rejects.toThrow(why)
  expect(far.visits.get('POST /mcp')).toBeGreaterThan(0)
  expect(heard.join()).not.toMatch(/secret/)
})
