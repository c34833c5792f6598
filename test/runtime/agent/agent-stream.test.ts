import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { createAgent, defineTool, type AgentEvent, type Model } from '../../../src/index.ts'
import { mergeDeltas } from '../../../src/runtime/agent/agent-events.ts'
import { play, tempDir } from '../support/stage.ts'

const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
/** Calls the tool in every turn, and counts how often it was asked. */
function turning(turns: number) {
  const asked = { count: 0 }
  const model: Model = {
    name: 'test/turning',
    async *stream() {
      asked.count += 1
      const isLast = asked.count === turns
      const message = { role: 'assistant' as const, model: 'test/turning', usage }
      yield { type: 'text', text: `turn ${asked.count}` }
      const input = { n: asked.count }
      yield {
        type: 'settled',
        message: isLast
          ? { ...message, content: [{ type: 'text', text: 'end' }], stop: 'end' }
          : { ...message, content: [{ type: 'tool_use', id: `c${asked.count}`, name: 'Next', input }], stop: 'tools' },
      }
    },
  }
  return { model, asked }
}

const next = defineTool({
  name: 'Next',
  description: 'Goes on.',
  input: z.strictObject({ n: z.number() }),
  effect: 'none',
  run: async ({ n }) => ({ content: [{ type: 'text', text: `${n}` }] }),
})

test('an agent waits for a reader that stopped, and goes on with it', async () => {
  const { model, asked } = turning(800)
  const agent = createAgent({ model, tools: [next], maxTurns: 1_000, cwd: tempDir(), env: {} })
  const run = agent.run('Go.')
  let seen = 0
  let stood = 0
  for await (const event of run) {
    seen += 1
    if (seen === 3) {
      for (let pass = 0; pass < 5_000; pass += 1) await setImmediate()
      stood = asked.count
    }
    expect(event.type).not.toBe('dropped')
  }
  expect(stood).toBeLessThan(400)
  expect(asked.count).toBe(800)
  expect(await run.result).toMatchObject({ text: 'end', reason: 'completed' })
})

test('an agent whose events nobody reads keeps the latest of them', async () => {
  const { model } = turning(800)
  const agent = createAgent({ model, tools: [next], maxTurns: 1_000, cwd: tempDir(), env: {} })
  const run = agent.run('Go.')
  await run.result
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  expect(events[0]?.type).toBe('dropped')
  expect(events.at(-1)).toMatchObject({ type: 'complete', text: 'end' })
  expect(events.length).toBeLessThan(1_100)
})

test('progress that waits grows together, and says how much of it is gone', () => {
  const frame = { v: 1, seq: 1, at: 0, run: 'agent-1', member: 'agent', turn: 1, depth: 0 } as const
  const progress = (text: string) => ({ ...frame, type: 'tool.progress', call_id: 'c', text }) as const
  let waiting: AgentEvent | null = progress('')
  for (let n = 0; n < 5_000; n += 1) waiting = waiting && mergeDeltas(waiting, progress(`line ${n}\n`))
  const all = Array.from({ length: 5_000 }, (_, n) => `line ${n}\n`).join('')
  expect(waiting).toEqual({ ...progress(all.slice(-8_192)), left_out: all.length - 8_192 })
  expect(mergeDeltas(progress('a'), { ...progress('b'), call_id: 'd' })).toBeNull()
})

test('what was tombstoned is in no text of the run', async () => {
  let asked = 0
  const message = { role: 'assistant' as const, usage }
  const first: Model = {
    name: 'test/first',
    async *stream() {
      asked += 1
      const said = { ...message, model: 'test/first' }
      if (asked === 1) {
        yield { type: 'text', text: 'first half ' }
        yield {
          type: 'settled',
          message: { ...said, content: [{ type: 'text', text: 'first half ' }], stop: 'max_tokens' },
        }
        return
      }
      const failure = { code: 'overloaded' as const, message: 'busy', retry: false }
      yield { type: 'settled', message: { ...said, content: [], stop: 'error', failure } }
    },
  }
  const second: Model = {
    name: 'test/second',
    async *stream() {
      const content = [{ type: 'text' as const, text: 'whole answer' }]
      yield { type: 'settled', message: { ...message, model: 'test/second', content, stop: 'end' } }
    },
  }
  const agent = createAgent({ model: first, fallback: [second], cwd: tempDir(), env: {} })
  const run = agent.run('Speak.')
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  expect(events.at(-1)).toMatchObject({ type: 'complete', text: 'whole answer' })
  expect(events.some(({ type }) => type === 'text.reset')).toBe(true)
  expect(await run.result).toMatchObject({ text: 'whole answer' })
})

test('a team waits for whoever reads its facts, and aborts all the same', async () => {
  const { run, result } = await play(
    { name: 'duo', coordinator: { prompt: 'p' }, workers: { ana: { description: 'd', prompt: 'p' } } },
    { lead: { steps: [{ say: 'done' }] }, ana: { steps: [] } },
  )
  const facts = run.facts()
  expect(await result).toMatchObject({ status: 'completed' })
  const seen: string[] = []
  for await (const { entry } of facts) seen.push(entry.type)
  expect(seen.at(-1)).toBe('team.ended')
})
