import { expect, onTestFinished, test } from 'vitest'
import { openModel } from '../../src/adapters/models/catalog.ts'
import { failureClasses } from '../../src/protocol/conversation/failure.ts'
import { listen } from '../contracts/model.ts'
import { environmentFor, faultyServer, providerOf } from '../support/faulty-server.ts'
import { failings } from '../support/vendors/failures.ts'

/** What servers and gateways answer when they do not answer, heard by the model itself: nobody asks again. */
test.for(failings)('$api: $name is a failure of its kind', async ({ api, fault, code, leads, wait }) => {
  const server = await faultyServer({ api, speak: () => ({ text: 'Never said.' }), fault: () => fault })
  onTestFinished(() => server.close())
  const model = await openModel(providerOf[api], { baseDir: '.', env: environmentFor(server.root) })
  const { message } = await listen(model)
  expect(message).toMatchObject({ stop: 'error', content: [], failure: { code } })
  const { retry, retry_after_ms: asked = 0 } = message.failure ?? {}
  expect(asked).toBeGreaterThanOrEqual(wait ?? 0)
  // Nobody waits for an hour.
  const mayRetry = retry !== false && failureClasses[code] === 'retry' && asked < 3_600_000
  expect(mayRetry).toBe(leads === 'retry' || leads === 'foreground')
  expect(JSON.stringify(message)).not.toContain('key-of-the-test')
  expect(server.complaints).toEqual([])
})
