import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { modelServer, sendEvents, sendJson, type ModelServer } from '../../adapters/models/support/model-server.ts'
import { faultyServer } from '../../support/faulty-server.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { tempDir } from '../support/stage.ts'

/** A server of chat completions that answers at once. */
async function healthy(): Promise<ModelServer> {
  const said = [{ choices: [{ index: 0, delta: { content: 'I stand in.' }, finish_reason: 'stop' }] }, '[DONE]']
  const server = await modelServer((_, response) => sendEvents(response, said))
  onTestFinished(server.close)
  return server
}

async function failing(answer: Parameters<typeof modelServer>[0]): Promise<ModelServer> {
  const server = await modelServer(answer)
  onTestFinished(server.close)
  return server
}

async function teamOfTwo(root: string, more: object = {}) {
  const other = await healthy()
  const clock = virtualClock()
  const env = {
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: root,
    OPENAI_COMPATIBLE_BASE_URL: `${other.root}/v1`,
  }
  const fallback = ['openai-compatible/other']
  const place = { env, home: tempDir(), cwd: tempDir() }
  return { agent: createAgent({ model: 'anthropic/claude-opus-5', fallback, clock, ...place, ...more }), clock, other }
}

test('a server that is overloaded is given up after three attempts, and not asked at all for the next piece of work', async () => {
  const down = await failing((_, response) =>
    sendJson(response, 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
  )
  const { agent, clock } = await teamOfTwo(down.root)
  expect((await agent.run('Begin.').result).text).toBe('I stand in.')
  expect(down.asked).toHaveLength(3)
  const waited = clock.waits.reduce((sum, ms) => sum + ms, 0)
  expect(waited).toBeLessThan(5_000)
  expect((await agent.run('And again.').result).text).toBe('I stand in.')
  expect(down.asked).toHaveLength(3)
  expect(clock.waits.reduce((sum, ms) => sum + ms, 0)).toBe(waited)
})

test('a server that takes the question and says nothing is asked once', async () => {
  const hanging = await failing(() => undefined)
  const { agent, clock } = await teamOfTwo(hanging.root, { timeouts: { firstByteMs: 1_000 } })
  expect((await agent.run('Begin.').result).text).toBe('I stand in.')
  expect(hanging.asked).toHaveLength(1)
  expect(clock.waits).toEqual([])
})

test('a server with which no connection comes about is asked once', async () => {
  const silent = createServer(() => undefined).listen(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  const { agent } = await teamOfTwo(`https://127.0.0.1:${port}`, { timeouts: { connectMs: 100 } })
  expect((await agent.run('Begin.').result).text).toBe('I stand in.')
})

test.for([{ progressMs: 200 }, { totalMs: 200 }])(
  'an answer that only says that it is still there ends after %o',
  async (timeouts) => {
    const pinging = await failing((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      const timer = setInterval(() => response.write('event: ping\ndata: {"type": "ping"}\n\n'), 20)
      response.on('close', () => clearInterval(timer))
    })
    const { agent } = await teamOfTwo(pinging.root, { timeouts })
    expect((await agent.run('Begin.').result).text).toBe('I stand in.')
    expect(pinging.asked).toHaveLength(1)
  },
)

test.for([
  ['an address that is none', { ANTHROPIC_BASE_URL: 'not a url' }, 'not_found', 'Check the base URL'],
  ['a key with a line end', { ANTHROPIC_API_KEY: 'sk-test\nsecret' }, 'unauthorized', 'Check ANTHROPIC_API_KEY'],
  [
    'a SOCKS proxy',
    { ANTHROPIC_BASE_URL: 'http://model.invalid', ALL_PROXY: 'socks5://127.0.0.1:1' },
    'forbidden',
    'Name an HTTP proxy',
  ],
] as const)('%s is told at once', async ([, wrong, code, remedy]) => {
  const clock = virtualClock()
  const env = { ANTHROPIC_API_KEY: 'sk-test', ...wrong }
  const place = { home: tempDir(), cwd: tempDir() }
  const { failure } = await createAgent({ model: 'anthropic/claude-opus-5', clock, env, ...place }).run('Begin.').result
  expect(failure).toMatchObject({ code, remedy: expect.stringContaining(remedy) as string })
  expect(JSON.stringify(failure)).not.toContain('secret')
  expect(clock.waits).toEqual([])
})

test('a proxy that wants to know who asks is told at once, as is one that is not there; servers of this machine need none', async () => {
  const proxy = await failing(() => undefined)
  const refusing = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n'))
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void refusing.close())
  await new Promise((resolve) => refusing.once('listening', resolve))
  const { port } = refusing.address() as AddressInfo
  const ask = async (HTTPS_PROXY: string, retries: number) => {
    const env = { ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: 'https://model.invalid', HTTPS_PROXY }
    const options = { model: 'anthropic/claude-opus-5', env, retries, clock: virtualClock(), home: tempDir() }
    return (await createAgent(options).run('Begin.').result).failure
  }
  expect(await ask(`http://127.0.0.1:${port}`, 9)).toMatchObject({ code: 'forbidden', status: 407 })
  const local = await faultyServer({ api: 'chat', speak: () => ({ text: 'I run here.' }) })
  onTestFinished(() => local.close())
  const env = { OLLAMA_BASE_URL: local.root, HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'other.invalid' }
  const near = createAgent({ model: 'ollama/m', env, clock: virtualClock(), home: tempDir() })
  expect(await near.run('Begin.').result).toMatchObject({ text: 'I run here.' })
  await proxy.close()
  expect((await ask(proxy.root, 0))?.message).toContain('the proxy of HTTPS_PROXY cannot be reached')
})
