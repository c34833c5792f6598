import { getActiveResourcesInfo } from 'node:process'
import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { anthropicRequests } from '../../src/adapters/models/anthropic/request.ts'
import { chatRequests } from '../../src/adapters/models/chat/request.ts'
import { responsesRequests } from '../../src/adapters/models/openai/request.ts'
import { defineTool } from '../../src/adapters/tools/define/define-tool.ts'
import { failure } from '../../src/protocol/conversation/failure.ts'
import { noUsage, type AssistantMessage, type Message } from '../../src/protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../src/protocol/models/model.ts'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'
import { anthropicComplaints } from '../support/vendors/anthropic.ts'
import { chatComplaints } from '../support/vendors/chat.ts'
import { responsesComplaints } from '../support/vendors/responses.ts'
import { virtualClock } from '../support/virtual-clock.ts'

/**
 * A run of ten turns with parallel calls and failures in between, aborted at any of its moments: after each of its
 * awaits there is a step that may abort. Whatever the moment, the run ends, no timer stays, and the next request
 * of the same conversation is one that every vendor takes.
 */
const turns = 10

interface Steps {
  /** Passes one moment; aborts when it is the chosen one. */
  readonly pass: () => Promise<void>
}

const answersOf = (turn: number): AssistantMessage => ({
  role: 'assistant',
  model: 'test/m',
  content: [
    { type: 'thinking', text: 'hm', opaque: { vendor: 'anthropic', signature: 'sig' } },
    { type: 'text', text: `Turn ${turn}.` },
    ...(turn < turns
      ? [0, 1, 2].map((index) => ({
          type: 'tool_use' as const,
          id: `c${turn}_${index}`,
          name: index === 1 ? 'Slow' : 'Fast',
          input: { turn },
        }))
      : []),
  ],
  stop: turn < turns ? 'tools' : 'end',
  usage: noUsage,
})

/** Answers in pieces; every third answer fails the first time. */
const modelOf = ({ pass }: Steps, asked: ModelRequest[]): Model => {
  const failed = new Set<number>()
  return {
    name: 'test/m',
    async *stream(request, signal) {
      asked.push(request)
      const turn = request.messages.filter(({ role }) => role === 'assistant').length + 1
      const whole = answersOf(turn)
      const stopped = { ...whole, content: [], stop: 'aborted' as const, failure: failure('aborted', 'stopped') }
      for (const text of ['Turn', ` ${turn}`, '.']) {
        await pass()
        if (signal.aborted) {
          yield { type: 'settled', message: stopped }
          return
        }
        yield { type: 'text', text }
      }
      if (turn % 3 === 0 && !failed.has(turn)) {
        failed.add(turn)
        yield {
          type: 'settled',
          message: { ...whole, content: [], stop: 'error', failure: failure('overloaded', 'busy') },
        }
        return
      }
      yield { type: 'settled', message: whole }
    },
  }
}

const toolsOf = ({ pass }: Steps) =>
  ['Fast', 'Slow'].map((name) =>
    defineTool({
      name,
      description: 'Passes moments.',
      input: z.strictObject({ turn: z.number() }),
      effect: 'none',
      isReadOnly: () => true,
      isConcurrencySafe: () => name === 'Fast',
      async run(_, { signal }) {
        for (let left = name === 'Fast' ? 1 : 3; left > 0 && !signal.aborted; left -= 1) await pass()
        return { content: [{ type: 'text', text: 'done' }] }
      },
    }),
  )

const judges: readonly ((messages: readonly Message[]) => readonly string[])[] = [
  (messages) => anthropicComplaints(anthropicRequests('m')(asking(messages), new Set())),
  (messages) => chatComplaints(chatRequests('m')(asking(messages), new Set())),
  (messages) => responsesComplaints(responsesRequests('m')(asking(messages), new Set())),
]

const asking = (messages: readonly Message[]): ModelRequest => ({ agent: 'a', system: 'Be.', messages, tools: [] })

/** Runs until the chosen moment, aborts, and asks once more; returns what vendors have against that last request. */
const abortedAt = async (moment: number) => {
  let passed = 0
  let stop = (): void => undefined
  const steps: Steps = {
    async pass() {
      passed += 1
      if (passed === moment) stop()
      await nextTick()
    },
  }
  const asked: ModelRequest[] = []
  const clock = virtualClock(moment)
  const agent = createAgent({ model: modelOf(steps, asked), tools: toolsOf(steps), clock, cwd: '/', home: '/' })
  const run = agent.run('Go.')
  stop = run.abort
  const { reason } = await run.result
  const [before, moments] = [asked.length, passed]
  stop = () => undefined
  const again = agent.run('Go on.')
  again.abort()
  await again.result
  const third = agent.run('And on.')
  await third.result
  const next = asked[before]
  agent.close()
  return { reason, moments, wrong: judges.flatMap((judge) => judge(next?.messages ?? [])), timers: clock.open() }
}

test('a thousand moments: the run ends, the history is valid, nothing stays open', async () => {
  const { moments, reason: whole } = await abortedAt(Number.POSITIVE_INFINITY)
  expect(whole).toBe('completed')
  const resources = getActiveResourcesInfo().length
  const reasons = new Map<string, number>()
  for (let index = 0; index < 1_000; index += 1) {
    const moment = 1 + ((index * 7_919) % moments)
    const { reason, wrong, timers } = await abortedAt(moment)
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
    expect({ moment, wrong, timers }).toEqual({ moment, wrong: [], timers: 0 })
  }
  expect([...reasons.keys()]).toEqual(expect.arrayContaining(['aborted_streaming', 'aborted_tools']))
  expect(getActiveResourcesInfo().length).toBeLessThanOrEqual(resources + 1)
}, 300_000)
