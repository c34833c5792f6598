import { join } from 'node:path'
import { expect, test } from 'vitest'
import { acquireLease } from '../../../src/adapters/lease/lease.ts'
import type { RunEvent } from '../../../src/protocol/facts/run-event.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { openRunFeed, runEvents, type RunFeed } from '../../../src/runtime/runs/run-events.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'
import { play } from '../support/stage.ts'

const duo = { name: 'duo', coordinator: { prompt: 'p' }, workers: { ana: { description: 'd', prompt: 'p' } } }
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] },
      { say: 'All is well.' },
    ],
  },
  ana: { steps: [{ say: 'Seen.' }] },
}

function factsIn(events: readonly RunEvent[]) {
  return events.flatMap((event) => (event.type === 'fact' ? [event] : []))
}

async function allOf(dir: string): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = []
  for await (const event of runEvents(dir)) events.push(event)
  return events
}

test('whoever reads from the beginning, and whoever comes when all is over, hears every fact once', async () => {
  const { run, result } = await play(duo, script)
  const early = allOf(run.dir)
  await result
  const late = factsIn(await allOf(run.dir))
  const written = recordOfRun(run.dir).recorded
  for (const facts of [factsIn(await early), late]) {
    expect(facts.map(({ seq }) => seq)).toEqual(written.map((_, at) => at + 1))
    for (const owner of ['team', 'lead', 'ana']) {
      const own = facts.filter(({ member }) => member === owner).map(({ fact }) => fact.id)
      expect(own).toEqual(written.filter((each) => each.owner === owner).map(({ entry }) => entry.id))
    }
  }
  const of = (member: string) => late.findLast((event) => event.member === member)
  expect(of('lead')).toMatchObject({ v: 1, run: run.id, turn: 2, depth: 0 })
  expect(of('ana')).toMatchObject({ turn: 1, depth: 1 })
  expect(of('team')).toMatchObject({ turn: 0, depth: 0, fact: { type: 'team.ended' } })
})

test('a reader that stops gets all facts later, a bounded number of deltas, and the count of the others', async () => {
  const staged = stagedRun(['lead', 'ana'])
  const feed = openRunFeed(staged.dir, () => undefined)
  await staged.listened()
  const stop = new AbortController()
  const slow = readerOf(feed, stop.signal)
  const quick = readerOf(feed, stop.signal)
  staged.tell('team', { type: 'team.resumed', pid: 1 })
  await slow.next()
  const all = 1_500
  for (let n = 0; n < all; n += 1) staged.say({ type: 'text.delta', member: 'lead', text: `${n} ` })
  staged.tell('team', { type: 'team.resumed', pid: 2 })
  const isAll = (events: readonly RunEvent[]): boolean =>
    told(events).reduce((sum, count) => sum + count, 0) === all && JSON.stringify(events).includes('"pid":2')
  const heard: RunEvent[] = []
  while (!isAll(heard)) heard.push(...(await quick.next()))
  const got: RunEvent[] = []
  while (!isAll(got)) got.push(...(await slow.next()))
  expect(got.filter(({ type }) => type === 'text.delta').length).toBe(1_000)
  expect(told(got).filter((count) => count > 1)).toEqual([all - 1_000])
  expect(factsIn(got).map(({ seq }) => seq)).toContain(feed.latest())
  stop.abort()
  expect(await slow.next()).toEqual([])
  feed.close()
})

/** For how many live events each event stands that is no fact. */
function told(events: readonly RunEvent[]): readonly number[] {
  return events.filter(({ type }) => type !== 'fact').map((event) => (event.type === 'dropped' ? event.count : 1))
}

function readerOf(feed: RunFeed, signal: AbortSignal) {
  const reader = feed.read({ signal })[Symbol.asyncIterator]()
  return {
    async next(): Promise<readonly RunEvent[]> {
      const next: IteratorResult<readonly RunEvent[], undefined> = await reader.next()
      return next.value ?? []
    },
  }
}

test('a reader goes on behind the fact that it has', async () => {
  const { run, result } = await play(duo, script)
  await result
  const feed = openRunFeed(run.dir, () => undefined)
  const events: RunEvent[] = []
  for await (const batch of feed.read({ after: feed.latest() - 2 })) events.push(...batch)
  feed.close()
  expect(events.map(({ seq }) => seq)).toEqual([feed.latest() - 1, feed.latest()])
})

test('a run that is led on is not over, even before anybody looked again', async () => {
  const { run, result } = await play(duo, script)
  await result
  const feed = openRunFeed(run.dir, () => undefined)
  for await (const batch of feed.read()) expect(batch).not.toEqual([])
  expect(feed.isOver()).toBe(true)
  const lease = acquireLease({ dir: join(run.dir, 'lease'), name: 'team', incarnation: '01J', now: () => 7 })
  expect(feed.isOver()).toBe(false)
  lease.release()
  for await (const batch of feed.read({ after: feed.latest() })) expect(batch).toEqual([])
  expect(feed.isOver()).toBe(true)
  feed.close()
})
