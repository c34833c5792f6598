import { Hono } from 'hono'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import type { RunEvent } from '../../../src/protocol/facts/run-event.ts'
import { openFeeds, type Feeds } from '../../../src/gateways/http/feeds.ts'
import { sseOf } from '../../../src/gateways/http/streaming.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'
import { served } from './served.ts'

test('a reader that stops reading and then hangs up leaves nothing behind', async () => {
  const { cwd, run } = stagedRun(['lead', 'ana']).cast
  const feeds = openFeeds(1)
  onTestFinished(feeds.close)
  const told = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const heard: Feeds = {
    ...feeds,
    join(dir) {
      const shared = feeds.join(dir)
      if (shared === null) return null
      async function* read(options?: object): AsyncIterable<readonly RunEvent[]> {
        try {
          for await (const events of shared?.feed.read(options) ?? []) {
            told.resolve()
            yield events
          }
        } finally {
          ended.resolve()
        }
      }
      return { ...shared, feed: { ...shared.feed, read } }
    },
  }
  const place = { cwd, home: join(cwd, 'home'), env: bareEnv, policyRoot: '/nowhere', version: '1.2.3' }
  const load = () => Promise.reject(new Error('no team is loaded'))
  const app = new Hono().get('/:run', (context) =>
    sseOf(context, { place: { ...place, load }, feeds: heard, beatMs: 60_000 }),
  )
  const { body } = await app.request(`/${run}`)
  await told.promise
  await body?.cancel()
  await ended.promise
  expect(heard.join(cwd)).not.toBeNull()
})

test('a socket whose other side answers no ping is ended, and one that answers stays', async () => {
  const { cwd, run } = stagedRun(['lead', 'ana']).cast
  const { url, token } = await served(cwd, join(cwd, 'home'), { beatMs: 20 })
  const opened = (autoPong: boolean): WebSocket => {
    const headers = { authorization: `Bearer ${token('read')}` }
    return new WebSocket(`${url.replace('http', 'ws')}/api/runs/${run}/socket`, { headers, autoPong })
  }
  const [mute, good] = [opened(false), opened(true)]
  onTestFinished(() => good.terminate())
  let pings = 0
  const pinged = new Promise<void>((resolve) => good.on('ping', () => (pings += 1) === 20 && resolve()))
  const end = await new Promise((resolve) => mute.on('close', resolve))
  expect(end).toBe(1006)
  await pinged
  expect(good.readyState).toBe(WebSocket.OPEN)
})
