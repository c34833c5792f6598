import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'

async function site(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function connect(url: string, type: 'http' | 'sse') {
  const place = { cwd: '/', env: {}, version: '1', roots: [], question: () => Promise.resolve({ refusal: 'no' }) }
  return connectServer({ url, type, headers: { 'x-api-key': 'secret' }, startupTimeout: 5_000 }, place)
}

test.for([
  ['http', 307],
  ['http', 302],
  ['sse', 302],
] as const)('%s: a server that sends to another origin with %i is not followed there', async ([type, status]) => {
  const visits: unknown[] = []
  const stranger = await site(({ headers }, response) => {
    visits.push(headers)
    response.end('{}')
  })
  const url = await site((_, response) =>
    response.writeHead(status, { location: `${stranger}/latest/meta-data` }).end(),
  )
  await expect(connect(`${url}/mcp`, type)).rejects.toThrow(
    /redirects to http:\/\/127\.0\.0\.1:\d+, which is not followed/,
  )
  expect(visits).toEqual([])
})

test('a server that sends in circles is given up', async () => {
  let visits = 0
  const url = await site((_, response) => {
    visits += 1
    response.writeHead(307, { location: '/mcp' }).end()
  })
  await expect(connect(`${url}/mcp`, 'http')).rejects.toThrow(/not followed/)
  expect(visits).toBe(6)
})
