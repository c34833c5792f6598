import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openPaceFile, type PaceLog } from '../../../src/adapters/models/pace-log.ts'
import { failedAnswer, noUsage, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import type { Model, ModelEvent, ModelRequest } from '../../../src/protocol/models/model.ts'
import { pacedModels } from '../../../src/runtime/models/rate-gates.ts'

/** Time that passes from timer to timer; `run` lets all of it pass. */
function simulatedTime() {
  const timers: { at: number; order: number; fn: () => void }[] = []
  let at = 0
  let count = 0
  const setTimeout = (fn: () => void, ms: number): number => {
    timers.push({ at: at + ms, order: (count += 1), fn })
    return count
  }
  const clearTimeout = (id: unknown): void => {
    const place = timers.findIndex(({ order }) => order === id)
    if (place >= 0) timers.splice(place, 1)
  }
  const settle = async (): Promise<void> => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
  }
  return {
    now: () => at,
    setTimeout,
    clearTimeout,
    timers,
    sleep: (ms: number) => new Promise<void>((go) => void setTimeout(go, ms)),
    async run(): Promise<void> {
      await settle()
      for (;;) {
        timers.sort((a, b) => a.at - b.at || a.order - b.order)
        const next = timers.shift()
        if (!next) return
        at = next.at
        next.fn()
        await settle()
      }
    },
  }
}

interface Server {
  /** Requests a second, and as many at once as it saves up. */
  readonly rate: number
  readonly saved: number
  readonly retryAfterMs?: number
  readonly answerMs: number
  /** As long as the processes of the workers start, one after the other, a request is three seconds on its way. */
  readonly startsMs?: number
}

const request: ModelRequest = { agent: 'a', system: '', messages: [], tools: [] }
const answer: AssistantMessage = { role: 'assistant', model: 'p/m', content: [], stop: 'end', usage: noUsage }

/** A model whose server takes so many requests a second; `count` says how many it answered and refused. */
function limitedModel(
  time: ReturnType<typeof simulatedTime>,
  { rate, saved, retryAfterMs, answerMs, startsMs = 0 }: Server,
) {
  const count = { answered: 0, refused: 0 }
  let [tokens, last] = [saved, 0]
  const model: Model = {
    name: 'p/m',
    async *stream(): AsyncGenerator<ModelEvent> {
      if (time.now() < startsMs) await time.sleep(3_000)
      tokens = Math.min(saved, tokens + ((time.now() - last) / 1000) * rate)
      last = time.now()
      if (tokens < 1) {
        count.refused += 1
        await time.sleep(30)
        const more = retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }
        yield { type: 'settled', message: failedAnswer('p/m', failure('rate_limited', 'slower', more)) }
        return
      }
      tokens -= 1
      count.answered += 1
      await time.sleep(answerMs)
      yield { type: 'settled', message: answer }
    },
  }
  return { model, count }
}

/** Asks until there is an answer, as recovery does: after the wait that was asked for, else after 0.5 s, 1 s, 2 s … */
async function askPatiently(time: ReturnType<typeof simulatedTime>, model: Model): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    for await (const event of model.stream(request, new AbortController().signal)) {
      if (event.type !== 'settled') continue
      if (event.message.failure === undefined) return
      await time.sleep(event.message.failure.retry_after_ms ?? 500 * 2 ** attempt)
    }
  }
}

/** `logOf`: where the worker with this number keeps the pace. Default: all share one gate. */
async function played(workers: number, server: Server, logOf?: (worker: number) => PaceLog) {
  const time = simulatedTime()
  const { model, count } = limitedModel(time, server)
  const one = pacedModels(time)(model)
  const work = async (_: unknown, worker: number): Promise<void> => {
    const paced = logOf ? pacedModels(time, () => logOf(worker))(model) : one
    const { startsMs } = server
    if (startsMs !== undefined) await time.sleep((worker * startsMs) / workers)
    await askPatiently(time, paced)
    await askPatiently(time, paced)
  }
  let ended = 0
  void Promise.all(Array.from({ length: workers }, work)).then(() => (ended = time.now()))
  await time.run()
  const ideal = ((2 * workers - server.saved) / server.rate) * 1000 + server.answerMs
  return { ...count, ratio: ended / ideal }
}

const limits = [
  ['50 workers at 5 a second', 50, { rate: 5, saved: 5, retryAfterMs: 1_000, answerMs: 30 }],
  ['50 workers at 5 a second, without a word of when', 50, { rate: 5, saved: 5, answerMs: 30 }],
  ['25 workers at 50 a minute', 25, { rate: 50 / 60, saved: 5, retryAfterMs: 2_000, answerMs: 30 }],
  ['25 workers at 50 a minute that saves up ten', 25, { rate: 50 / 60, saved: 10, retryAfterMs: 10_000, answerMs: 30 }],
  ['50 workers at 5 a second whose answers take 8 s', 50, { rate: 5, saved: 5, retryAfterMs: 1_000, answerMs: 8_000 }],
  [
    '50 workers that start at 5 a second',
    50,
    { rate: 5, saved: 5, retryAfterMs: 1_000, answerMs: 30, startsMs: 5_000 },
  ],
] as const

describe('members that share a provider with a limit', () => {
  test.for(limits)('%s', async ([, workers, server]) => {
    const { answered, refused, ratio } = await played(workers, server)
    expect(answered).toBe(2 * workers)
    expect(ratio).toBeLessThan(1.3)
    expect(refused).toBeLessThan(2 * workers)
  })

  test.for([limits[0], limits[2]])('%s, each in a process of its own', async ([, workers, server]) => {
    const file = join(mkdtempSync(join(tmpdir(), 'troupe-pace-')), 'pace', 'p.jsonl')
    const { answered, refused, ratio } = await played(workers, server, (worker) => openPaceFile(file, `${worker}`))
    expect(answered).toBe(2 * workers)
    expect(ratio).toBeLessThan(1.3)
    expect(refused).toBeLessThan(2 * workers)
  })

  test('of which none is refused do not wait for each other', async () => {
    const { refused, ratio } = await played(20, { rate: 1_000, saved: 1_000, answerMs: 100 })
    expect({ refused, ratio: ratio > 0 }).toEqual({ refused: 0, ratio: false })
  })
})

test('who does not want the answer any more leaves the queue', async () => {
  const time = simulatedTime()
  const { model, count } = limitedModel(time, { rate: 1, saved: 1, retryAfterMs: 1_000, answerMs: 10 })
  const paced = pacedModels(time)(model)
  const stop = new AbortController()
  await Promise.all([
    askPatiently(time, paced),
    askPatiently(time, paced),
    time.sleep(50).then(() => {
      const left = paced.stream(request, stop.signal)[Symbol.asyncIterator]().next()
      stop.abort()
      return left
    }),
    time.run(),
  ])
  expect(count.answered).toBe(2)
  expect(time.timers).toEqual([])
})

test('a model keeps all that it can besides, and one that answers by itself is left alone', () => {
  class Own implements Model {
    readonly name = 'p/own'
    #renewed = 0
    async *stream(): AsyncGenerator<ModelEvent> {
      yield { type: 'settled', message: answer }
    }
    renew(): boolean {
      this.#renewed += 1
      return this.#renewed === 1
    }
  }
  const pace = pacedModels(simulatedTime())
  expect(pace(new Own()).renew?.()).toBe(true)
  const scripted: Model = { name: 's/x', deterministic: true, stream: () => new Own().stream() }
  expect(pace(scripted)).toBe(scripted)
})

test('an answer that ends without its whole text, or never begins, gives its slot back', async () => {
  const time = simulatedTime()
  let asked = 0
  const model: Model = {
    name: 'local/m',
    capacity: async () => ({ slots: 1 }),
    stream() {
      asked += 1
      if (asked === 2) throw new Error('no connection')
      return (async function* (): AsyncGenerator<ModelEvent> {})()
    },
  }
  const paced = pacedModels(time)(model)
  const request: ModelRequest = { agent: 'ana', system: '', messages: [], tools: [] }
  const ask = async () => paced.stream(request, new AbortController().signal)[Symbol.asyncIterator]().next()
  await ask()
  await expect(ask()).rejects.toThrow('no connection')
  await ask()
  expect(asked).toBe(3)
})
