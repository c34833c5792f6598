import { describe, expect, test } from 'vitest'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { Pause } from '../../../src/projections/member/agent-story.ts'
import { failure, type Failure } from '../../../src/protocol/conversation/failure.ts'
import { noUsage, textOf, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import { backoffMs, defaultLimits } from '../../../src/rules/team/retry-policy.ts'
import { openBreakers } from '../../../src/runtime/recovery/breakers.ts'
import { withRecovery, type Recovered } from '../../../src/runtime/recovery/recovery.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

interface Told {
  readonly text?: string
  readonly failure?: Failure
}

/** A model that gives these answers in turn, the last one for ever, and remembers what it was asked. */
function telling(name: string, ...answers: readonly Told[]): Model & { readonly asked: ModelRequest[] } {
  const asked: ModelRequest[] = []
  return {
    name,
    asked,
    async *stream(request, signal) {
      const { text = '', failure: told } = answers[Math.min(asked.push(request), answers.length) - 1] ?? {}
      if (text !== '') yield { type: 'text', text }
      const stop = told ? 'error' : 'end'
      const message: AssistantMessage = {
        role: 'assistant',
        model: name,
        content: [{ type: 'text', text }],
        stop,
        usage: noUsage,
      }
      if (signal.aborted)
        yield { type: 'settled', message: { ...message, stop: 'aborted', failure: failure('aborted', '') } }
      else yield { type: 'settled', message: told ? { ...message, failure: told } : message }
    },
  }
}

const request: ModelRequest = { agent: 'a', system: '', messages: [], tools: [] }

const recovering = (models: readonly Model[], more: object = {}) => {
  const clock = virtualClock()
  const facts: Fact[] = []
  const heard: string[] = []
  const abort = new AbortController()
  const parts = {
    models,
    limits: defaultLimits,
    clock,
    breakers: openBreakers(clock),
    price: async () => 0,
    sizes: () => ({ max_output: null, window: null }),
    paused: { until: null, since: null },
    ...more,
  }
  const recovery = withRecovery(parts)
  const ask = (asked: ModelRequest = request, model = models[0]?.name ?? ''): Promise<Recovered> =>
    recovery.ask(asked, {
      turn: 1,
      model,
      signal: abort.signal,
      note: (fact) => facts.push(fact),
      hear: ({ type, text }) => heard.push(type === 'reset' ? '⟲' : text),
    })
  return { ask, clock, facts, heard, abort, parts, kinds: () => facts.map(({ type }) => type) }
}

const busy = failure('overloaded', 'busy')
const settledIn = (recovered: Recovered): AssistantMessage => {
  if (recovered.kind !== 'settled') throw new Error('somebody else was to answer')
  return recovered.message
}

test('what succeeds passes through: nothing is noted, nothing is waited for, no breaker is made', async () => {
  const { ask, facts, clock, heard } = recovering([telling('p/a', { text: 'Hello.' })])
  expect(textOf(settledIn(await ask()))).toBe('Hello.')
  expect({ facts, waits: clock.waits, heard }).toEqual({ facts: [], waits: [], heard: ['Hello.'] })
})

test('after ten retries it is given up, and every wait follows the formula', async () => {
  const model = telling('p/a', { failure: failure('stream_broken', 'cut') })
  const { ask, clock, kinds } = recovering([model])
  expect(settledIn(await ask()).failure?.code).toBe('stream_broken')
  expect(model.asked).toHaveLength(11)
  expect(clock.waits).toHaveLength(10)
  for (const [index, ms] of clock.waits.entries()) {
    expect(ms).toBeGreaterThanOrEqual(backoffMs(index + 1))
    expect(ms).toBeLessThanOrEqual(backoffMs(index + 1) * 1.25 + 1)
  }
  expect(kinds().filter((kind) => kind === 'model.retried')).toHaveLength(10)
})

test('what was heard of a broken answer is taken back before the next one', async () => {
  const { ask, heard } = recovering([
    telling('p/a', { text: 'Half an', failure: failure('stream_broken', 'cut') }, { text: 'A whole answer.' }),
  ])
  await ask()
  expect(heard).toEqual(['Half an', '⟲', 'A whole answer.'])
})

test('a connection that was lost is not kept', async () => {
  const model = telling('p/a', { failure: failure('connection_lost', 'ECONNRESET') }, { text: 'Here.' })
  await recovering([model]).ask()
  expect(model.asked.map(({ fresh_connection }) => fresh_connection)).toEqual([undefined, true])
})

describe('an answer without a word', () => {
  test('is asked for once more, with what it cost', async () => {
    const model = telling('p/a', { text: ' ' }, { text: 'Here.' })
    const { ask, facts, heard } = recovering([model])
    expect(textOf(settledIn(await ask()))).toBe('Here.')
    expect(facts).toMatchObject([{ type: 'model.retried', attempt: 1, delay_ms: 0, failure: { code: 'no_answer' } }])
    expect(heard).toEqual([' ', '⟲', 'Here.'])
  })

  test('stands the second time, and no other model is asked', async () => {
    const [model, other] = [telling('p/a', {}), telling('p/b', { text: 'Here.' })]
    const { ask } = recovering([model, other])
    expect(settledIn(await ask()).stop).toBe('end')
    expect([model.asked.length, other.asked.length]).toEqual([2, 0])
  })

  test('stands at once where it cannot be another one, or no other is left', async () => {
    const same = { ...telling('p/a', {}), deterministic: true }
    await recovering([same]).ask()
    const last = telling('p/a', {})
    await recovering([last]).ask({ ...request, last: true })
    expect([same.asked.length, last.asked.length]).toEqual([1, 1])
  })
})

describe('a refused key', () => {
  const refused = { failure: failure('unauthorized', 'no') }
  test('is looked up again once', async () => {
    const model = { ...telling('p/a', refused, { text: 'Now.' }), renew: () => true }
    expect(textOf(settledIn(await recovering([model]).ask()))).toBe('Now.')
    const never = { ...telling('p/a', refused), renew: () => true }
    expect(settledIn(await recovering([never]).ask()).failure?.code).toBe('unauthorized')
    expect(never.asked).toHaveLength(2)
  })

  test('that is still the same is not tried again', async () => {
    const same = { ...telling('p/a', refused), renew: () => false }
    await recovering([same]).ask()
    expect(same.asked).toHaveLength(1)
  })
})

test("an answer that does not fit is asked for shorter; a model's own limit is remembered", async () => {
  const limit = failure(
    'output_exceeded',
    'max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens',
  )
  const model = telling('p/a', { failure: limit }, { text: 'Short.' })
  const { ask } = recovering([model])
  await ask({ ...request, max_tokens: 64_000 })
  await ask({ ...request, max_tokens: 64_000 })
  expect(model.asked.map(({ max_tokens }) => max_tokens)).toEqual([64_000, 8_192, 8_192])
})

describe('another model stands in', () => {
  test('when the first is given up, after it was said why', async () => {
    const { ask, facts, heard } = recovering([
      telling('p/a', { text: 'Half', failure: failure('not_found', 'gone') }),
      telling('q/b', { text: 'I.' }),
    ])
    expect(await ask()).toEqual({ kind: 'fallback', model: 'q/b' })
    expect(facts).toMatchObject([{ type: 'breaker.opened' }, { type: 'model.fell_back', from: 'p/a', to: 'q/b' }])
    expect(heard).toEqual(['Half', '⟲'])
    expect(textOf(settledIn(await ask(request, 'q/b')))).toBe('I.')
  })

  test.for(['invalid_request', 'context_exceeded', 'refused', 'budget_exhausted'] as const)(
    'but not for %s',
    async (code) => {
      const { ask } = recovering([telling('p/a', { failure: failure(code, 'no') }), telling('q/b', { text: 'I.' })])
      expect(settledIn(await ask()).failure?.code).toBe(code)
    },
  )

  test('and at once for one that always answers the same', async () => {
    const script = { ...telling('scripted/a', { failure: busy }), deterministic: true }
    const { ask, clock } = recovering([script, telling('q/b', { text: 'I.' })])
    expect(await ask()).toEqual({ kind: 'fallback', model: 'q/b' })
    expect(clock.waits).toEqual([])
  })
})

describe('a limit that resets later', () => {
  const limited = { failure: failure('rate_limited', 'hourly', { retry_after_ms: 95_000 }) }

  test('is a pause that the journal knows of, with a sign of life every half minute', async () => {
    const { ask, facts, clock, kinds } = recovering([telling('p/a', limited, { text: 'Back.' })])
    const before = clock.now()
    await ask()
    expect(kinds()).toEqual([
      'model.retried',
      'model.paused',
      'model.waiting',
      'model.waiting',
      'model.waiting',
      'model.resumed',
    ])
    expect(clock.now() - before).toBeGreaterThanOrEqual(95_000)
    expect(facts.find(({ type }) => type === 'model.paused')).toMatchObject({
      turn: 1,
      model: 'p/a',
      failure: limited.failure,
    })
  })

  test('is waited out by who takes up the journal', async () => {
    const clock = virtualClock()
    const paused: Pause = { until: clock.now() + 40_000, since: null }
    const { ask, kinds } = recovering([telling('p/a', { text: 'Back.' })], { clock, paused })
    await ask()
    expect(clock.waits).toEqual([30_000, 10_000])
    expect(kinds()).toEqual(['model.waiting', 'model.resumed'])
    expect(paused.until).toBeNull()
  })

  test('may be hours away where patience is asked for', async () => {
    const hours = { failure: failure('rate_limited', 'weekly', { retry_after_ms: 2 * 3_600_000 }) }
    const patient = recovering([telling('p/a', hours, hours, { text: 'Back.' })], {
      limits: { retries: 1, persistent: true },
    })
    expect(textOf(settledIn(await patient.ask()))).toBe('Back.')
    const started = patient.clock.now()
    const hopeless = recovering([telling('p/a', hours)], {
      limits: { retries: 1, persistent: true },
      clock: patient.clock,
    })
    expect(settledIn(await hopeless.ask()).failure?.code).toBe('rate_limited')
    expect(patient.clock.now() - started).toBeLessThanOrEqual(6 * 3_600_000)
  })
})

test('an abort ends a wait at once and leaves no timer', async () => {
  const { ask, abort, clock } = recovering([telling('p/a', { failure: busy })])
  const answer = ask()
  setImmediate(() => abort.abort())
  const message = settledIn(await answer)
  expect(message).toMatchObject({ stop: 'aborted', failure: { code: 'aborted' } })
  expect(clock.open()).toBe(0)
})

describe('a provider that fails everybody', () => {
  test('is left alone by all members after five failures, and asked by one probe', async () => {
    const sick = telling('p/a', { failure: busy })
    const first = recovering([sick], { limits: { retries: 4, persistent: false } })
    await first.ask()
    expect(first.kinds()).toContain('breaker.opened')
    const { clock, breakers } = first.parts
    const second = recovering([sick, telling('q/b', { text: 'I.' })], {
      clock,
      breakers,
      limits: { retries: 0, persistent: false },
    })
    const asked = sick.asked.length
    expect(await second.ask()).toEqual({ kind: 'fallback', model: 'q/b' })
    expect(sick.asked).toHaveLength(asked)
    const well = recovering([telling('p/a', { text: 'Well.' })], { clock, breakers })
    expect(textOf(settledIn(await well.ask()))).toBe('Well.')
    expect(well.kinds()).toContain('breaker.closed')
  })
})
