import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openServer } from '../../../src/runtime/mcp/open-port.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { closedServer } from '../../support/mcp/oauth-server.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

async function desk() {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const server = await closedServer()
  const hostNow = () =>
    fakeHost({ cwd, home, policyRoot: join(home, 'policy'), env: { PATH: process.env['PATH'] ?? '' } })
  const say = async (...args: string[]) => {
    const host = hostNow()
    return { code: await main(args, host), out: host.stdout.text, err: host.stderr.text }
  }
  await say('mcp', 'add', 'issues', server.url)
  const begin = async () => {
    const host = hostNow()
    const over = main(['mcp', 'login', 'issues', '--no-browser'], host)
    await expect.poll(() => host.stderr.text).toContain('/authorize?')
    const [address = ''] = /http:\S+\/authorize\?\S+/.exec(host.stderr.text) ?? []
    return { host, over, address }
  }
  return {
    ...server,
    home,
    say,
    begin,
    /** Logs in as a person does, who opens the address and is sent back. */
    async login() {
      const { host, over, address } = await begin()
      const page = await fetch(address)
      return { code: await over, err: host.stderr.text, page: await page.text() }
    },
  }
}

test('a login with a browser is kept for its owner alone, refreshed, and asked for again when it is over', async () => {
  const { home, grants, expire, login, say } = await desk()
  expect(await say('mcp', 'test', 'issues')).toMatchObject({
    code: 5,
    out: expect.stringMatching(/needs-auth.*login/) as string,
  })
  expect(await login()).toMatchObject({
    code: 0,
    err: expect.stringContaining('logged in to issues: 1 tools') as string,
    page: expect.stringContaining('Logged in') as string,
  })
  const folder = join(home, '.troupe/mcp/logins')
  const [file = ''] = readdirSync(folder)
  expect([statSync(folder).mode & 0o777, statSync(join(folder, file)).mode & 0o777]).toEqual([0o700, 0o600])
  expect((await say('mcp', 'call', 'issues', 'look')).out).toBe('You are in.\n')
  expect(grants).toEqual(['authorization_code'])
  expire()
  expect((await say('mcp', 'call', 'issues', 'look')).out).toBe('You are in.\n')
  expect(grants).toEqual(['authorization_code', 'refresh_token'])
  expire(true)
  expect(await say('mcp', 'test', 'issues')).toMatchObject({
    code: 5,
    out: expect.stringMatching(/needs-auth/) as string,
  })
  expect(await login()).toMatchObject({ code: 0 })
  expect(await say('mcp', 'test', 'issues')).toMatchObject({ code: 0, out: 'issues: connected, 1 tools\n' })
})

test('an answer of another login server is not taken for the one that was asked', async () => {
  const { url, grants, answerAs, begin } = await desk()
  const { address, over } = await begin()
  answerAs('https://elsewhere.example')
  expect(await (await fetch(address)).text()).toContain('another login server')
  expect(grants).toEqual([])
  answerAs(new URL(url).origin)
  expect(await (await fetch(address)).text()).toContain('Logged in')
  expect(await over).toBe(0)
})

test('a keyring that the person names keeps the secrets of a login, and no file does', async () => {
  const { home, login, say } = await desk()
  const [program, safe, list] = ['keyring.sh', 'safe', '.troupe/mcp.json'].map((name) => join(home, name))
  const script = `[ "$1" = get ] && exec cat '${safe}'\necho "$1 $2" >> '${safe}.log'\nexec cat > '${safe}'\n`
  writeFileSync(program ?? '', `#!/bin/sh\n${script}`, { mode: 0o700 })
  const servers = JSON.parse(readFileSync(list ?? '', 'utf8')) as object
  writeFileSync(list ?? '', JSON.stringify({ ...servers, keyring: program }))
  expect((await login()).code).toBe(0)
  expect((await say('mcp', 'call', 'issues', 'look')).out).toBe('You are in.\n')
  expect(JSON.parse(readFileSync(safe ?? '', 'utf8'))).toMatchObject({ tokens: { token_type: 'Bearer' } })
  expect(readFileSync(`${safe}.log`, 'utf8')).toMatch(/^store http:.*\/mcp$/m)
  const folder = join(home, '.troupe/mcp/logins')
  for (const file of readdirSync(folder))
    expect(readFileSync(join(folder, file), 'utf8')).not.toMatch(/access_token|"verifier"/)
  writeFileSync(program ?? '', '#!/bin/sh\necho locked >&2; exit 1\n')
  expect((await say('mcp', 'test', 'issues')).out).toMatch(/needs-auth/)
})

test('a run does not knock again for a quarter of an hour at a server that wants a login', async () => {
  const { home, url, turnedAway, login } = await desk()
  let now = 1_000_000_000_000
  const none = () => undefined
  const options = {
    spec: { url },
    seen: 'issues',
    home,
    cwd: home,
    roots: [],
    env: {},
    version: '1',
    now: () => now,
    changed: none,
    closed: none,
    unauthorized: none,
    question: () => Promise.resolve({ refusal: 'no' }),
  }
  const opened = async () => {
    const { outcome, connection } = await openServer(options, new AbortController().signal)
    await connection?.close()
    return outcome.kind
  }
  expect([await opened(), turnedAway()]).toEqual(['needs-auth', 1])
  now += 14 * 60_000
  expect([await opened(), turnedAway()]).toEqual(['needs-auth', 1])
  now += 2 * 60_000
  expect([await opened(), turnedAway()]).toEqual(['needs-auth', 2])
  expect((await login()).code).toBe(0)
  expect(await opened()).toBe('connected')
  expect(readFileSync(join(home, '.troupe/mcp.json'), 'utf8')).not.toContain('token')
})
