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
  const say = (request: string): string => `exec 4<>/dev/tcp/127.0.0.1/3128; printf '${request}' >&4; cat <&4`
  const tunnelled = (host: string): string =>
    say(`CONNECT ${host}:${port} HTTP/1.1\\r\\n\\r\\nGET /x HTTP/1.0\\r\\nHost: h\\r\\n\\r\\n`)

  test('leads to the hosts that are open, and to no other', async () => {
    const asked: string[] = []
    const socket = openDomainProxy(join(base, 'net'), (host) => {
      asked.push(host)
      return Promise.resolve(host === '127.0.0.1' ? host : null)
    })
    expect((await run(tunnelled('127.0.0.1'), socket)).out).toMatch(/^HTTP\/1.1 200[^]*hello h \/x$/)
    const refused = await run(tunnelled('LOCALHOST.'), socket)
    expect(refused.out).toMatch(/^HTTP\/1.1 403[^]*does not let commands reach localhost:/)
    const forwarded = say(`GET http://127.0.0.1:${port}/y HTTP/1.0\\r\\nHost: elsewhere\\r\\n\\r\\n`)
    expect((await run(forwarded, socket)).out).toContain(`hello 127.0.0.1:${port} /y`)
    expect((await run(say('GET http://elsewhere.test/ HTTP/1.0\\r\\n\\r\\n'), socket)).out).toContain('403')
    expect(asked).toEqual(['127.0.0.1', 'localhost', '127.0.0.1', 'elsewhere.test'])
  })

  test('is the only one, and told to programs', async () => {
    const socket = openDomainProxy(join(base, 'net'), (host) => Promise.resolve(host))
    expect((await run(`exec 4<>/dev/tcp/127.0.0.1/${port}`, socket)).exitCode).not.toBe(0)
    expect((await run('echo $https_proxy', socket)).out).toBe('http://127.0.0.1:3128\n')
    expect((await run('exit 7', socket)).exitCode).toBe(7)
  })

  test('clears up behind processes that are gone', () => {
    mkdirSync(join(base, 'net'))
    writeFileSync(join(base, 'net', '4194999-1.sock'), '')
    const socket = openDomainProxy(join(base, 'net'), (host) => Promise.resolve(host))
    expect(readdirSync(join(base, 'net')).map((name) => join(base, 'net', name))).toEqual([socket])
    expect(() => openDomainProxy(join(base, 'x'.repeat(120)), (host) => Promise.resolve(host))).toThrow('too long')
  })
})
