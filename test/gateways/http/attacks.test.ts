import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openServerTokens } from '../../../src/runtime/settings/server-tokens.ts'
import { tempDir } from '../../runtime/support/stage.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'
import { served, spoken } from './served.ts'

/** A run that goes on, and a server of it. */
async function door(...options: Parameters<typeof served> extends [string, string, ...infer More] ? More : never) {
  const staged = stagedRun(['lead', 'ana'])
  const { cwd, run } = staged.cast
  const server = await served(cwd, join(cwd, 'home'), ...options)
  return { ...server, staged, run, host: new URL(server.url).host, dir: staged.dir }
}

test('only the empty page answers without a token, and says nothing of any run', async () => {
  const { ask, run } = await door()
  for (const path of ['/', '/page.js', '/page.css']) {
    const { status, body, headers } = await ask(path, { scope: 'none' })
    expect([path, status]).toEqual([path, 200])
    expect(JSON.stringify(body)).not.toContain(run)
    expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
  }
  for (const path of [
    '/api/runs',
    '/api/openapi.json',
    `/api/runs/${run}/events`,
    `/api/runs/${run}/socket`,
    '/api/approvals',
  ])
    expect([path, (await ask(path, { scope: 'none' })).status]).toEqual([path, 401])
})

test('a name bent to this address, a foreign page and its preflight get nothing', async () => {
  const { url, host, token } = await door()
  const head = (lines: readonly string[], method = 'GET'): string =>
    [
      `${method} /api/runs HTTP/1.1`,
      `authorization: Bearer ${token('read')}`,
      'connection: close',
      ...lines,
      '',
      '',
    ].join('\r\n')
  const status = async (lines: readonly string[], method?: string) =>
    Number(/^HTTP\/1\.1 (\d+)/.exec(await spoken(url, head(lines, method)))?.[1])
  expect(await status([`host: ${host}`])).toBe(200)
  expect(await status([`host: ${host}`, `origin: http://${host}`])).toBe(200)
  expect(await status(['host: evil.example'])).toBe(421)
  expect(await status([`host: evil.example:${new URL(url).port}`])).toBe(421)
  expect(await status([`host: ${host}`, 'host: evil.example'])).toBe(400)
  expect(await status([])).toBe(400)
  for (const origin of [
    'http://evil.example',
    'null',
    `http://evil.${host}`,
    `https://x@${host}.evil.example`,
    `http://evil.example//${host}`,
    'file://',
  ])
    expect([origin, await status([`host: ${host}`, `origin: ${origin}`])]).toEqual([origin, 403])
  expect(await status([`host: ${host}`, 'sec-fetch-site: cross-site'])).toBe(403)
  const own = `origin: http://${host}`
  const twice = [
    ['origin: http://evil.example', own],
    [own, 'origin: http://evil.example'],
    ['sec-fetch-site: cross-site', 'sec-fetch-site: same-origin'],
    [`authorization: Bearer ${token('approve')}`],
  ]
  for (const lines of twice) expect([lines, await status([`host: ${host}`, ...lines])]).toEqual([lines, 400])
  const preflight = [`host: ${host}`, 'origin: http://evil.example', 'access-control-request-method: POST']
  const answer = await spoken(url, head(preflight, 'OPTIONS'))
  expect(answer).toMatch(/^HTTP\/1\.1 403/)
  expect(answer.toLowerCase()).not.toContain('access-control-allow')
})

test('a request that hides another one in itself is refused whole', async () => {
  const { url, host, token } = await door()
  const own = `host: ${host}\r\nauthorization: Bearer ${token('approve')}\r\ncontent-type: application/json\r\n`
  const hidden = `GET /api/runs HTTP/1.1\r\n${own}\r\n`
  const smuggled = [
    `POST /api/runs HTTP/1.1\r\n${own}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `POST /api/runs HTTP/1.1\r\n${own}transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n\r\n0\r\n\r\n${hidden}`,
    `POST /api/runs HTTP/1.1\r\n${own}content-length: 0\r\ncontent-length: 9\r\n\r\n${hidden}`,
    `POST /api/runs HTTP/1.1\r\n${own}transfer-encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    `GET http://evil.example/api/runs HTTP/1.1\r\n${own}connection: close\r\n\r\n`,
  ]
  for (const bytes of smuggled) {
    const answers = (await spoken(url, bytes)).match(/HTTP\/1\.1 \d+/g)
    expect([bytes.slice(0, 200), answers]).toEqual([bytes.slice(0, 200), ['HTTP/1.1 400']])
  }
})

test('a token counts in its header alone, with its own scopes, and only so often', async () => {
  const { ask, post, token, run } = await door({ failures: 5, requests: 30 })
  expect((await ask(`/api/runs?token=${token('read')}`, { scope: 'none' })).status).toBe(400)
  expect((await ask(`/api/runs?access_token=${token('read')}`)).status).toBe(400)
  expect((await post(`/api/runs/${run}/stop`, {}, 'read')).status).toBe(403)
  expect((await post(`/api/runs/${run}/approvals/x`, { behavior: 'allow' }, 'act')).status).toBe(403)
  const guesses = []
  for (let n = 0; n < 8; n += 1)
    guesses.push(ask('/api/runs', { scope: 'none', headers: { authorization: `Bearer ${n}` } }))
  const statuses = (await Promise.all(guesses)).map(({ status }) => status)
  expect([401, 429].map((each) => statuses.filter((status) => status === each).length)).toEqual([5, 3])
  const many = await Promise.all(Array.from({ length: 40 }, () => ask('/api/runs')))
  expect(many.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10)
})

test('requests of one token and guesses count together, whatever they ask for', async () => {
  const { ask, post, run } = await door({ failures: 2, requests: 2 })
  const fork = `/api/runs/${run}/fork`
  const guess = {
    scope: 'none',
    method: 'POST',
    body: '{"code":"x"}',
    headers: { 'content-type': 'application/json' },
  } as const
  const guesses = [await ask('/api/runs', { scope: 'none' }), await ask('/api/session', guess), await ask(fork, guess)]
  expect(guesses.map(({ status }) => status)).toEqual([401, 401, 429])
  const asked = [
    await ask('/api/runs', { scope: 'approve' }),
    await post(fork, { at: 'lead-999' }),
    await ask('/api/runs', { scope: 'approve' }),
  ]
  expect(asked.map(({ status }) => status === 429)).toEqual([false, false, true])
})

test.skipIf(process.platform !== 'linux')('a server answers at the address that it names', async () => {
  const { url, ask } = await door({}, { host: '127.0.0.2' })
  expect([new URL(url).hostname, (await ask('/api/runs')).status]).toEqual(['127.0.0.2', 200])
})

test('no name leads out of the runs of the directory', async () => {
  const { ask, run, dir, url, host, token } = await door()
  writeFileSync(join(dir, '..', '..', 'secret'), 'secret words')
  mkdirSync(join(dir, 'artifacts'), { recursive: true })
  const linked = 'a'.repeat(64)
  symlinkSync(join(dir, '..', '..', 'secret'), join(dir, 'artifacts', linked))
  const real = 'b'.repeat(64)
  writeFileSync(join(dir, 'artifacts', real), 'long result')
  expect((await ask(`/api/runs/${run}/artifacts/${real}`)).body).toBe('long result')
  const paths = [
    `/api/runs/${run}/artifacts/${linked}`,
    `/api/runs/${run}/artifacts/..%2F..%2F..%2Fsecret`,
    `/api/runs/${run}/artifacts/${encodeURIComponent(`../artifacts/${real}`)}`,
    `/api/runs/${encodeURIComponent(`../runs/${run}`)}/facts`,
    `/api/runs/${encodeURIComponent(dir)}/facts`,
    `/api/runs/${run.slice(0, -3)}/facts`,
    `/api/runs/%2e%2e/facts`,
    `/api/runs/${run}%00/facts`,
    `/api/runs/${run}/mail?member=..%2F..%2F..`,
  ]
  for (const path of paths) expect([path, (await ask(path)).status]).toEqual([path, 404])
  const raw = `GET /api/runs/../../secret HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token('read')}\r\nconnection: close\r\n\r\n`
  expect(await spoken(url, raw)).toMatch(/^HTTP\/1\.1 404/)
})

test('a body that is too large, none, or no JSON is refused', async () => {
  const { ask, post, run } = await door({ body: 10_000 })
  expect((await post(`/api/runs/${run}/mail`, { to: 'lead@demo', text: 'x'.repeat(20_000) })).status).toBe(413)
  const init = { method: 'POST', scope: 'approve' as const, body: '{"to":"lead@demo","text":"x"}' }
  expect((await ask(`/api/runs/${run}/mail`, { ...init, headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  const json = { 'content-type': 'application/json' }
  expect((await ask(`/api/runs/${run}/mail`, { ...init, body: '{', headers: json })).status).toBe(400)
  const deep = `{"behavior":"allow","updated_input":${'['.repeat(2_000)}${']'.repeat(2_000)}}`
  const bomb = await ask(`/api/runs/${run}/approvals/x`, { ...init, body: deep, headers: json })
  expect(bomb).toMatchObject({ status: 400, body: { error: { code: 'too_deep' } } })
  const unknown = await post(`/api/runs/${run}/mail`, { to: 'lead@demo', text: 'x', mode: 'bypassPermissions' })
  expect(unknown).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } })
  expect((await post('/api/runs', { team: '../../etc/passwd', task: 'x' })).status).toBe(400)
  expect((await post('/api/runs', { team: 'demo', task: 'x', mode: 'bypassPermissions' })).status).toBe(400)
})

test('a body of nobody is not waited for, nor kept', async () => {
  const { url, host, token } = await door()
  const begun = (path: string, more = '') =>
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${more}transfer-encoding: chunked\r\n\r\n5\r\n{"a":\r\n`
  const tooNarrow = `authorization: Bearer ${token('read')}\r\n`
  const tooLong = `1000\r\n${'x'.repeat(4_096)}\r\n`
  const requests = [
    begun('/api/runs'),
    begun('/nothing'),
    begun('/api/runs', tooNarrow),
    begun('/api/session') + tooLong,
  ]
  const answers = await Promise.all(requests.map((bytes) => spoken(url, bytes)))
  expect(answers.map((answer) => answer.slice(0, 12))).toEqual([401, 404, 403, 413].map((each) => `HTTP/1.1 ${each}`))
})

test('a method that a path does not know hears which it does', async () => {
  const { ask, run } = await door()
  const wrong = await ask(`/api/runs/${run}/stop`, { method: 'PUT' })
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST'])
  expect((await ask('/api/runs', { method: 'DELETE' })).headers.get('allow')).toBe('GET, HEAD, POST')
})

test('a head that never ends ends its connection, and others are answered meanwhile', async () => {
  const { ask, url, host } = await door({ headMs: 500 })
  const slow = Array.from({ length: 20 }, () => spoken(url, `GET /api/runs HTTP/1.1\r\nhost: ${host}\r\nx: `))
  expect((await ask('/api/runs')).status).toBe(200)
  const ends = await Promise.all(slow)
  expect(ends.every((said) => said === '' || said.startsWith('HTTP/1.1 408'))).toBe(true)
})

test('a socket is opened for this server’s own page and for tokens, for no other page', async () => {
  const { url, run, token, host } = await door()
  const address = `${url.replace('http', 'ws')}/api/runs/${run}/socket`
  const opened = (headers: Record<string, string>): Promise<string> =>
    new Promise((resolve) => {
      const socket = new WebSocket(address, { headers })
      socket.on('message', (data: Buffer) => {
        const event = JSON.parse(data.toString('utf8')) as { type: string }
        resolve(event.type)
        socket.terminate()
      })
      socket.on('unexpected-response', (_, { statusCode }) => resolve(String(statusCode)))
      socket.on('error', () => undefined)
    })
  const authorization = `Bearer ${token('read')}`
  expect(await opened({ authorization })).toBe('fact')
  expect(await opened({ authorization, origin: `http://${host}` })).toBe('fact')
  expect(await opened({ authorization, origin: 'http://evil.example' })).toBe('403')
  expect(await opened({ authorization, host: 'evil.example' })).toBe('421')
  expect(await opened({})).toBe('401')
  expect(await opened({ cookie: `troupe_session_${new URL(url).port}=guessed` })).toBe('401')
})

test('a code opens one session; its cookie is kept from scripts and other pages', async () => {
  const { ask, post, page, host, run, url } = await door()
  const code = new URL(page).hash.slice(1)
  const enter = (given: string) =>
    ask('/api/session', {
      scope: 'none',
      method: 'POST',
      body: JSON.stringify({ code: given }),
      headers: { 'content-type': 'application/json', origin: `http://${host}` },
    })
  expect((await enter('guess')).status).toBe(401)
  const first = await enter(code)
  const cookie = first.headers.get('set-cookie') ?? ''
  const name = `troupe_session_${new URL(url).port}`
  expect(cookie.startsWith(`${name}=`)).toBe(true)
  expect(cookie).toMatch(/=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  expect((await enter(code)).status).toBe(401)
  const own = { cookie: cookie.split(';')[0] ?? '' }
  expect((await ask('/api/runs', { scope: 'none', headers: own })).status).toBe(200)
  const stop = { scope: 'none', method: 'POST', body: '{}' } as const
  const json = { ...own, 'content-type': 'application/json' }
  expect((await ask(`/api/runs/${run}/stop`, { ...stop, headers: json })).status).toBe(403)
  const foreign = { ...json, origin: 'http://evil.example' }
  expect((await ask(`/api/runs/${run}/stop`, { ...stop, headers: foreign })).status).toBe(403)
  await ask('/api/session/end', { scope: 'none', method: 'POST', headers: own })
  expect((await ask('/api/runs', { scope: 'none', headers: own })).status).toBe(401)
  expect((await post(`/api/runs/${run}/approvals/none`, { behavior: 'allow' })).status).toBe(404)
})

test('who guesses codes, or has an old page open, keeps nobody out', async () => {
  const { ask, page } = await door({ failures: 2 })
  const headers = { 'content-type': 'application/json' }
  const enter = async (code: string): Promise<number> =>
    (await ask('/api/session', { scope: 'none', method: 'POST', body: JSON.stringify({ code }), headers })).status
  expect([await enter('guess'), await enter('guess'), await enter('guess')]).toEqual([401, 401, 429])
  expect(await enter(new URL(page).hash.slice(1))).toBe(200)
})

test('tokens lie in a file of their owner alone, and one that others may read opens nothing', () => {
  const home = tempDir()
  const { file } = openServerTokens(home)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  chmodSync(file, 0o644)
  expect(() => openServerTokens(home)).toThrow(`chmod 600 ${file}`)
  chmodSync(file, 0o600)
  writeFileSync(file, '{"tokens":[{"token":"short","scopes":["read"]}]}')
  expect(() => openServerTokens(home)).toThrow('remove it to get new ones')
})
