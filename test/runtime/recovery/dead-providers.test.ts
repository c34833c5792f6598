import { createServer, type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { waitsOf } from '../../../src/adapters/models/served/server-options.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { apis, environmentFor, faultyServer, providerOf, type Fault } from '../../support/faulty-server.ts'
import { virtualClock } from '../../support/virtual-clock.ts'
import { tempDir } from '../support/stage.ts'

/*
 * A server that is dead in ten ways, in three APIs, beside one that answers: how often the dead one is asked, how long
 * that takes, and that it is not asked at all for the next piece of work.
 */

const refused = (status: number, headers = {}): Fault => ({
  kind: 'answer',
  status,
  headers,
  body: JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Not now.' } }),
})

/** Waits of a server that says nothing; the table counts them as long as they are by default. */
const shortMs = 400
const endpoint = { provider: 'any', spec: {}, env: {}, baseURL: 'https://model.invalid' }
const { hurriedMs, idleMs } = waitsOf({
  ...endpoint,
  credential: { keyName: undefined, read: async () => '', refused: () => undefined, renew: async () => false },
})

interface Death {
  readonly fault: Fault | 'closed'
  /** What one attempt takes with the times that hold by default. */
  readonly each: number
  /** The longest time to the first answer. */
  readonly within: number
}

const deaths: Readonly<Record<string, Death>> = {
  'is overloaded (529)': { fault: refused(529), each: 0, within: 5_000 },
  'is not available (503)': { fault: refused(503), each: 0, within: 5_000 },
  'is broken (500)': { fault: refused(500), each: 0, within: 5_000 },
  'has a bad gateway (502)': { fault: refused(502), each: 0, within: 5_000 },
  'is limited for an hour (429)': { fault: refused(429, { 'retry-after': '3600' }), each: 0, within: 5_000 },
  'takes the question and says nothing': { fault: { kind: 'hang' }, each: hurriedMs, within: 60_000 },
  'resets the connection': { fault: { kind: 'reset' }, each: 0, within: 5_000 },
  'is not there': { fault: 'closed', each: 0, within: 5_000 },
  'breaks each answer off': { fault: { kind: 'cut', at: 60 }, each: 0, within: 5_000 },
  'falls silent in an answer': { fault: { kind: 'stall', at: 60 }, each: idleMs, within: 70_000 },
}

/** A port at which nobody listens. */
async function closedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return `http://127.0.0.1:${port}`
}

const cases = apis.flatMap((api) => Object.entries(deaths).map(([how, death]) => ({ api, how, ...death })))

test.for(cases)('$api: a server that $how is given up in time', async ({ api, fault, each, within }) => {
  const dead = await faultyServer({
    api,
    speak: () => ({ text: 'I come back to life.' }),
    fault: () => (fault === 'closed' ? null : fault),
  })
  const other = await faultyServer({ api: 'chat', speak: () => ({ text: 'I stand in.' }) })
  onTestFinished(async () => {
    await dead.close()
    await other.close()
  })
  const root = fault === 'closed' ? await closedPort() : dead.root
  const clock = virtualClock()
  const agent = createAgent({
    model: providerOf[api],
    fallback: ['other/m'],
    servers: { other: { base_url: other.root } },
    env: environmentFor(root),
    timeouts: { firstByteMs: shortMs, idleMs: shortMs },
    clock,
    home: tempDir(),
    cwd: tempDir(),
  })
  const waited = (): number => clock.waits.reduce((sum, ms) => sum + ms, 0)
  expect(await agent.run('Begin.').result).toMatchObject({ reason: 'completed', text: 'I stand in.' })
  const asked = dead.asked.length
  expect(asked * each + waited()).toBeLessThanOrEqual(within)
  const before = waited()
  expect(await agent.run('And again.').result).toMatchObject({ reason: 'completed', text: 'I stand in.' })
  expect(dead.asked).toHaveLength(asked)
  expect(waited()).toBe(before)
  expect(other.asked).toHaveLength(2)
})
