import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDomainProxy } from '../../../src/adapters/sandbox/domain-proxy.ts'

/** All that the proxy answers to a request, however much comes after it. */
function answerTo(socket: string, request: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const client = connect(socket)
  let heard = ''
  client.on('data', (text: Buffer) => (heard += text.toString()))
  client.on('error', reject)
  client.on('close', () => resolve(heard))
  client.end(request + 'x'.repeat(1 << 20))
  return promise
}

test.each([
  ['CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n'],
  ['POST http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1048576\r\n\r\n'],
])('a refusal arrives whole, whatever else the client sends: %s', async (request) => {
  const folder = mkdtempSync(join(tmpdir(), 'proxy-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const heard = await answerTo(
    openDomainProxy(folder, () => Promise.resolve(null)),
    request,
  )
  expect(heard).toMatch(/^HTTP\/1\.1 403 /)
  expect(heard).toContain('does not let commands reach evil.example')
})
