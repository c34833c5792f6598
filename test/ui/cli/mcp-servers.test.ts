import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

const odd = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const server = (mode: string) => ({ command: process.execPath, args: [odd, mode] })

/** The address of a server that turns everybody away until they log in. */
async function closedServer(): Promise<string> {
  const http = createServer((request, response) => {
    const isServer = request.url === '/mcp'
    response.writeHead(isServer ? 401 : 404, isServer ? { 'www-authenticate': 'Bearer' } : {}).end()
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void http.close())
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
}

async function desk() {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const mcpServers = {
    good: server('plain'),
    bad: server('dies'),
    offers: server('offers'),
    none: { command: 'no-such-program' },
    closed: { url: await closedServer() },
    away: { url: 'http://127.0.0.1:9/mcp' },
    off: { command: 'x', disabled: true },
  }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers }))
  return {
    cwd,
    async say(...args: string[]) {
      const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy'), env: { PATH: process.env['PATH'] ?? '' } })
      return { code: await main(args, host), out: host.stdout.text, err: host.stderr.text }
    },
  }
}

test('doctor says of each server what it is, and what helps, before and after somebody trusts them', async () => {
  const { say } = await desk()
  const before = await say('doctor')
  expect(before.out.match(/nobody trusted it yet.*\n.*troupe trust lets the servers/g)).toHaveLength(6)
  expect((await say('trust')).out).toMatch(/mcp good .*\.mcp\.json/)
  const { out } = await say('doctor')
  expect(out).toMatch(/ok +MCP good +connected, 1 tools/)
  expect(out).toMatch(/missing MCP bad +failed: it closed the connection.*cannot find my licence/s)
  expect(out).toMatch(/missing MCP none +failed: its program no-such-program cannot be started \(ENOENT\)/)
  expect(out).toMatch(/missing MCP closed +needs-auth: .*\n +troupe mcp login closed/)
  expect(out).toMatch(/missing MCP away +failed: fetch failed: .*(ECONNREFUSED|bad port)/)
  expect(out).toMatch(/ok +MCP off +disabled/)
})

test('a test of servers ends with 5 when one of them is not there, and names the cure of a wrong name', async () => {
  const { say } = await desk()
  await say('trust')
  expect(await say('mcp', 'test', 'good')).toMatchObject({ code: 0, out: 'good: connected, 1 tools\n' })
  expect(await say('mcp', 'test', 'closed')).toMatchObject({ code: 5 })
  expect((await say('mcp', 'test', 'god')).err).toContain('did you mean "good"?')
  expect((await say('mcp', 'call', 'good', 'eccho', '{}')).err).toContain('did you mean "echo"?')
})

test('a call that hangs is over when its person interrupts it, and its server as well', async () => {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const log = join(home, 'odd.log')
  const mcpServers = { odd: { ...server('hangs'), env: { ODD_LOG: log } } }
  writeFileSync(join(cwd, '.mcp.json'), JSON.stringify({ mcpServers }))
  const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy'), env: { PATH: process.env['PATH'] ?? '' } })
  const over = main(['mcp', 'call', 'odd', 'echo', '--trust'], host)
  const said = (): string => (existsSync(log) ? readFileSync(log, 'utf8') : '')
  await expect.poll(said).toContain('call ')
  host.raise('SIGINT')
  expect(await over).toBe(130)
  expect(host.stderr.text).toContain('odd: it was interrupted')
  const [, pid] = /call (\d+)/.exec(said()) ?? []
  expect(processStart(Number(pid))).toBeNull()
})

test('prompts and resources of a server are listed and called beside its tools', async () => {
  const { say } = await desk()
  await say('trust')
  expect((await say('mcp', 'tools', 'offers')).out).toMatch(/mcp__offers__greet +prompt.*\n.*list_resources +resource/)
  expect((await say('mcp', 'call', 'offers', 'greet', '{"who": "Ann"}')).out).toBe('Greet Ann.\n')
  expect((await say('mcp', 'call', 'offers', 'list_resources')).out).toContain('@offers:odd://one')
  expect((await say('mcp', 'call', 'offers', 'read_resource', '{"uri": "odd://one"}')).out).toContain(
    'content of odd://one',
  )
})

test('check names servers that no file has an entry for', async () => {
  const { cwd, say } = await desk()
  mkdirSync(join(cwd, 'teams'))
  const clerk = 'clerk: { description: Works., prompt: You work., tools: [mcp__good, mcp__god__x, mcp__other] }'
  writeFileSync(
    join(cwd, 'teams/duo.yaml'),
    `name: duo\nmodel: scripted/none.yaml\ncoordinator: { prompt: You lead. }\nworkers:\n  ${clerk}\n`,
  )
  writeFileSync(join(cwd, 'teams/none.yaml'), 'agents: {}\n')
  const { code, out } = await say('check', 'duo')
  expect(code).toBe(2)
  expect(out).toMatch(
    /duo\.yaml:5:\d+ error unknown_mcp_server there is no MCP server called "god"\n +did you mean good/,
  )
  expect(out).toMatch(/there is no MCP server called "other"/)
})
