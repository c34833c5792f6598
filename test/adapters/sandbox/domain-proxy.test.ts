import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { runCommand } from '../../../src/adapters/process/run-command.ts'
import { bubblewrapMissing, bubblewrapped } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { openDomainProxy } from '../../../src/adapters/sandbox/domain-proxy.ts'
import type { SandboxPlan } from '../../../src/rules/sandbox/sandbox-plan.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

describe.skipIf(missing !== null)('the way out of a sandbox', () => {
  let base = ''
  let server: Server
  let port = 0
  beforeEach(async () => {
    base = mkdtempSync(join(process.cwd(), 'node_modules/.cache/net-'))
    server = createServer((request, answer) => answer.end(`hello ${request.headers.host} ${request.url}`))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  })
  afterEach(async () => {
    rmSync(base, { recursive: true, force: true })
    await new Promise((resolve) => server.close(resolve))
  })

  const run = async (command: string, proxy: string) => {
    const plan: SandboxPlan = {
      writable: [base],
      readOnly: [],
      hidden: [],
      shown: [],
      network: 'proxied',
      unixSockets: false,
    }
    let out = ''
    const argv = bubblewrapped(['bash', '-c', command], plan, { cwd: base, proxy })
    const signal = new AbortController().signal
    const env = { PATH: process.env['PATH'] ?? '' }
    const { exitCode } = await runCommand(argv, { cwd: base, env, signal, onOutput: (text) => (out += text) })
    return { exitCode, out }
  }
  const say = (request: string): string => `(exec 4<>/dev/tcp/127.0.0.1/3128; printf '${request}' >&4; cat <&4; echo)`
  const tunnelled = (authority: string, path: string): string =>
    say(`CONNECT ${authority} HTTP/1.1\\r\\n\\r\\nGET ${path} HTTP/1.0\\r\\nHost: h\\r\\n\\r\\n`)
  const forwarded = (url: string): string => say(`GET ${url} HTTP/1.0\\r\\nHost: open.test\\r\\n\\r\\n`)

  test('leads to the hosts that are open, and to no other', async () => {
    const asked: string[] = []
    const socket = openDomainProxy(join(base, 'net'), (host) => {
      asked.push(host)
      return Promise.resolve(host === '127.0.0.1' ? host : null)
    })
    const requests = [
      tunnelled(`127.0.0.1:${port}`, '/x'),
      tunnelled(`LOCALHOST.:${port}`, '/x'),
      forwarded(`http://127.0.0.1:${port}/y`),
      forwarded('http://elsewhere.test/'),
      `exec 4<>/dev/tcp/127.0.0.1/${port} || echo closed`,
      'echo $https_proxy; exit 7',
    ]
    const { out, exitCode } = await run(requests.join('\n'), socket)
    expect(out).toMatch(/^HTTP\/1.1 200[^]*hello h \/x\n[^]*403[^]*does not let commands reach localhost:/)
    expect(out).toContain(`hello 127.0.0.1:${port} /y`)
    expect(out).toMatch(/403[^]*403[^]*closed\nhttp:\/\/127.0.0.1:3128\n$/)
    expect([exitCode, asked]).toEqual([7, ['127.0.0.1', 'localhost', '127.0.0.1', 'elsewhere.test']])
  })

  test('takes no host for another, however it is written', async () => {
    const seen: string[] = []
    server.on('request', ({ url = '' }) => seen.push(url))
    const socket = openDomainProxy(join(base, 'net'), (host) =>
      Promise.resolve(host === 'open.test' ? '127.0.0.1' : null),
    )
    const authorities = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0',
      'open.test@127.0.0.1',
      'open.test:80@127.0.0.1',
      'open.test%%40127.0.0.1',
      '127.0.0.1#.open.test',
      '127.0.0.1\\\\.open.test',
      'open.test\\t127.0.0.1',
    ]
    const tries = authorities.flatMap((authority, n) => [
      tunnelled(`${authority}:${port}`, `/tunnel/${n}`),
      forwarded(`http://${authority}:${port}/forward/${n}`),
    ])
    const twice = `GET http://open.test:${port}/second HTTP/1.1\\r\\nHost: open.test\\r\\n\\r\\nGET http://127.0.0.1:${port}/smuggled HTTP/1.0\\r\\n\\r\\n`
    await run([...tries, say(twice), tunnelled(`open.test:${port}`, '/last')].join('\n'), socket)
    expect(seen).toEqual(['/second', '/last'])
  })

  test('clears up behind processes that are gone', () => {
    mkdirSync(join(base, 'net'))
    writeFileSync(join(base, 'net', '4194999-1.sock'), '')
    const socket = openDomainProxy(join(base, 'net'), (host) => Promise.resolve(host))
    expect(readdirSync(join(base, 'net')).map((name) => join(base, 'net', name))).toEqual([socket])
    expect(() => openDomainProxy(join(base, 'x'.repeat(120)), (host) => Promise.resolve(host))).toThrow('too long')
  })
})
