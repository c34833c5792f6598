import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { noUsage, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { backoffMs, defaultLimits } from '../../../src/rules/team/retry-policy.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { openBreakers } from '../../../src/runtime/recovery/breakers.ts'
import { withRecovery } from '../../../src/runtime/recovery/recovery.ts'
import { environmentFor, faultyServer, providerOf, type Fault, type FaultyServer } from '../../support/faulty-server.ts'
import { failings, type Failing } from '../../support/vendors/failures.ts'
import type { Speech } from '../../support/vendors/speech.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

/**
 * Every failure, at the first, a middle and the last turn, for somebody who waits and for nobody: what comes of it,
 * how long it is waited for, and whether the history is one that vendors take.
 */
const last = 3
const places = { first: 0, middle: 2, last } as const
const cases = failings.flatMap((failing) =>
  Object.entries(places).map(([place, turn]) => ({ ...failing, place, at: turn })),
)

const note = defineTool({
  name: 'Note',
  description: 'Takes a note.',
  input: z.strictObject({ text: z.string() }),
  effect: 'none',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: async () => ({ content: [{ type: 'text', text: 'noted' }] }),
})

const speak = (turn: number): Speech =>
  turn < last
    ? {
        text: `Turn ${turn}, in several words. `,
        calls: [{ id: `call_${turn}`, name: 'Note', input: { text: `note ${turn}` } }],
      }
    : { text: 'All is done.' }

/**
 * How often a failure comes before all is well: what asks for less is heeded at once, and a kept connection that is
 * reset is replaced unseen before recovery hears of it.
 */
const timesOf = ({ leads, fault, at }: Failing & { readonly at: number }, isKept: boolean): number => {
  if (leads === 'shrink') return 1
  return fault.kind === 'reset' && isKept && at > 0 ? 3 : 2
}

const failingAt = (at: number, fault: Fault, times: number) => {
  let left = times
  return (turn: number): Fault | null => (turn === at && (left -= 1) >= 0 ? fault : null)
}

/** What was waited, each within a quarter above the formula. */
const expectWaits = (waits: readonly number[], { wait = 0 }: Failing): void => {
  for (const [index, ms] of waits.entries()) {
    const least = Math.max(backoffMs(index + 1), wait)
    expect(ms).toBeGreaterThanOrEqual(least)
    expect(ms).toBeLessThanOrEqual(least * 1.25 + 1)
  }
}

const asWaited = (leads: Failing['leads'], isWaitedFor: boolean): 'retry' | 'shrink' | 'final' => {
  if (leads === 'foreground') return isWaitedFor ? 'retry' : 'final'
  return leads
}

const expectOutcome = (server: FaultyServer, failing: Failing & { readonly at: number }, requests: number): void => {
  expect(server.complaints).toEqual([])
  const there = server.asked.filter(({ turn }) => turn === failing.at)
  expect(there).toHaveLength(requests)
  if (failing.leads !== 'shrink') return
  const limits = there.map(({ body }) => body['max_tokens'])
  expect(limits[1]).toBeGreaterThanOrEqual(3_000)
}

/** A context that is too long is made shorter when there is something to leave out. */
const isOverlong = ({ code, leads, at }: Failing & { readonly at: number }): boolean =>
  code === 'context_exceeded' && leads === 'final' && at > 0

describe('somebody waits', () => {
  test.for(cases.filter(isOverlong))(
    '$api: $name at the $place turn: goes on with a shorter context',
    async (failing) => {
      const { api, at, fault } = failing
      const server = await faultyServer({ api, speak, fault: failingAt(at, fault, 1) })
      const env = environmentFor(server.root)
      const agent = createAgent({
        model: providerOf[api],
        env,
        tools: [note],
        clock: virtualClock(),
        cwd: '/',
        home: '/',
      })
      const run = agent.run('Take notes.')
      const { reason, failure, text } = await run.result
      await server.close()
      expect({ reason, failure, text }).toEqual({ reason: 'completed', failure: undefined, text: 'All is done.' })
      expect(server.complaints).toEqual([])
      const [long, short] = server.asked.slice(at).map((asked) => asked.text)
      expect(short).toContain('had become too long')
      expect(short).toContain('Take notes.')
      expect(long).not.toContain('had become too long')
    },
  )

  test.for(cases.filter((failing) => !isOverlong(failing)))(
    '$api: $name at the $place turn: $leads',
    async (failing) => {
      const { api, at, fault, code } = failing
      const leads = asWaited(failing.leads, true)
      const times = timesOf(failing, true)
      const server = await faultyServer({ api, speak, fault: failingAt(at, fault, times) })
      const clock = virtualClock()
      const agent = createAgent({
        model: providerOf[api],
        env: environmentFor(server.root),
        tools: [note],
        clock,
        cwd: '/',
        home: '/',
      })
      const run = agent.run('Take notes.')
      const text: string[] = []
      for await (const event of run) {
        if (event.type === 'text.reset') text.length = 0
        if (event.type === 'text.delta' && event.turn === last + 1) text.push(event.text)
      }
      const { reason, failure } = await run.result
      await server.close()
      expectOutcome(server, failing, leads === 'final' ? 1 : times + 1)
      const isFinal = leads === 'final'
      expect(failure?.code).toBe(isFinal ? code : undefined)
      expect(reason).toMatch(isFinal ? /^(failed|prompt_too_long)$/ : /^completed$/)
      expect(text.join('')).toBe(isFinal ? '' : 'All is done.')
      expect(clock.waits).toHaveLength(leads === 'retry' ? 2 : 0)
      expectWaits(clock.waits, failing)
      expect(clock.open()).toBe(0)
    },
  )
})

/** A conversation that has come as far as this turn. */
const historyUntil = (turn: number): readonly Message[] => [
  userMessage('Take notes.'),
  ...Array.from({ length: turn }, (_, index): Message[] => {
    const { text, calls = [] } = speak(index)
    return [
      {
        role: 'assistant',
        model: 'm',
        content: [{ type: 'text', text }, ...calls.map((call) => ({ type: 'tool_use' as const, ...call }))],
        stop: 'tools',
        usage: noUsage,
      },
      {
        role: 'tool',
        results: calls.map(({ id, name }) => {
          return { call_id: id, tool: name, content: [{ type: 'text' as const, text: 'noted' }], is_error: false }
        }),
      },
    ]
  }).flat(),
]

describe('nobody waits', () => {
  test.for(cases)('$api: $name at the $place turn: $leads', async (failing) => {
    const { api, at, fault, code } = failing
    const leads = asWaited(failing.leads, false)
    const times = timesOf(failing, false)
    const server = await faultyServer({ api, speak, fault: failingAt(at, fault, times) })
    const clock = virtualClock()
    const facts: Fact[] = []
    const recovery = withRecovery({
      models: [await openModel(providerOf[api], { baseDir: '/', env: environmentFor(server.root) })],
      limits: defaultLimits,
      clock,
      breakers: openBreakers(clock),
      price: async () => 0,
      sizes: () => ({ max_output: null, window: null }),
      paused: { until: null, since: null },
    })
    const request = { agent: 'a', system: '', messages: historyUntil(at), tools: [], background: true }
    const hearing = { signal: new AbortController().signal, hear: () => undefined }
    const answered = await recovery.ask(request, {
      ...hearing,
      turn: at + 1,
      model: providerOf[api],
      note: (fact) => facts.push(fact),
    })
    await server.close()
    expectOutcome(server, failing, leads === 'final' ? 1 : times + 1)
    if (answered.kind !== 'settled') throw new Error('nobody stands in')
    expect(answered.message.failure?.code).toBe(leads === 'final' ? code : undefined)
    expectWaits(clock.waits, failing)
    expect(facts.filter(({ type }) => type === 'model.retried')).toHaveLength(leads === 'final' ? 0 : times)
  })
})

test('a context that stays too long is made shorter once in each run, and then ends it', async () => {
  const [failing] = cases.filter(isOverlong)
  const { api, fault } = failing ?? { api: 'chat' as const, fault: null }
  const server = await faultyServer({ api, speak, fault: (_, count) => (count < last ? null : fault) })
  const env = environmentFor(server.root)
  const runDir = mkdtempSync(join(tmpdir(), 'troupe-longer-'))
  onTestFinished(() => rmSync(runDir, { recursive: true, force: true }))
  const place = { cwd: runDir, home: runDir, runDir }
  const open = () => createAgent({ model: providerOf[api], env, tools: [note], clock: virtualClock(), ...place })
  const agent = open()
  const first = await agent.run('Take notes.').result
  const second = await agent.run('Go on.').result
  agent.close()
  const resumed = await open().run('Go on.').result
  await server.close()
  const too = 'prompt_too_long'
  expect([first.reason, second.reason, resumed.reason]).toEqual([too, too, too])
  expect(server.asked).toHaveLength(last + 6)
  expect(server.complaints).toEqual([])
})

test('a script goes on after its context was made shorter where it was, and still finds what it named', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-shorter-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const notes = (text: string): object => ({ calls: [{ tool: 'Note', input: { text }, as: text }] })
  const steps = [notes('a'), notes('b'), { fail: 'context_exceeded' }]
  const agent = (more: readonly object[], runDir?: string) => {
    writeFileSync(
      join(dir, 'script.yaml'),
      JSON.stringify({ agents: { agent: { steps: [...steps.slice(0, 2), ...more] } } }),
    )
    return createAgent({
      model: 'scripted/script.yaml',
      tools: [note],
      cwd: dir,
      home: dir,
      ...(runDir ? { runDir } : {}),
    })
  }
  const failed = await agent(steps.slice(2), dir).run('Take notes.').result
  expect(failed.reason).toBe('prompt_too_long')
  const { reason, text } = await agent([{ say: 'b was {{b.text}}' }], dir).run('Go on.').result
  expect({ reason, text }).toEqual({ reason: 'completed', text: 'b was noted' })
})

test('an answer that was cut off is continued three times at most, and is one text in the end', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-cut-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const cut = (say: string): object => ({ say, stop: 'max_tokens' })
  const steps = [cut('One '), cut('two '), cut('three '), cut('four'), { say: 'Never asked for.' }]
  writeFileSync(join(dir, 'script.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
  const run = createAgent({ model: 'scripted/script.yaml', cwd: dir, home: dir }).run('Count.')
  const ends: string[] = []
  for await (const event of run) if (event.type === 'complete') ends.push(event.text)
  expect(await run.result).toMatchObject({ reason: 'cut', text: 'One two three four', turns: 1 })
  expect(ends).toEqual(['One two three four'])
})
