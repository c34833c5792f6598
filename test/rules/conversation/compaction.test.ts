import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import {
  callsOf,
  noUsage,
  textOf,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import {
  compactionText,
  planCompaction,
  shortMessage,
  type Logged,
} from '../../../src/rules/conversation/compaction.ts'
import { appendEntry, conversationOf, logOf } from '../../../src/rules/conversation/context-window.ts'

const says = (text: string, ...calls: readonly string[]): AssistantMessage => ({
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text }, ...calls.map((id) => ({ type: 'tool_use' as const, id, name: 'Read', input: {} }))],
  stop: calls.length > 0 ? 'tools' : 'end',
  usage: noUsage,
})
const found = (call_id: string, text: string): Message => ({
  role: 'tool',
  results: [{ call_id, tool: 'Read', content: [{ type: 'text', text }], is_error: false }],
})
const logged = (messages: readonly Message[]): Logged[] =>
  messages.map((message, index) => ({ id: `m-${index + 1}`, message }))

const small = 'word '.repeat(100)
const long = `begin ${'x'.repeat(9_000)} end`

describe('what is left out', () => {
  test('long results first: their beginning and their end stay', () => {
    const log = logged([userMessage('Go.'), says('A', 'a'), found('a', small), says('B', 'b'), found('b', long)])
    expect(planCompaction(log)).toMatchObject({ trimmed: ['m-5'], dropped: [] })
    const [text = ''] = (shortMessage(found('b', long)) as Message & { role: 'tool' }).results.map((result) =>
      textOf(result),
    )
    expect(text).toMatch(/^begin x+\n\[… 7410 characters were left out to make room …\]\nx+ end$/)
  })

  test('then the oldest answers with their results, until half is left; words of others and the latest answer stay', () => {
    const rounds = ['a', 'b', 'c', 'd'].flatMap((id) => [says(id, id), found(id, small)])
    const log = logged([userMessage('Go.'), ...rounds.slice(0, 4), userMessage('Mail.', 'runtime'), ...rounds.slice(4)])
    expect(planCompaction(log)).toMatchObject({ trimmed: [], dropped: ['m-2', 'm-3', 'm-4', 'm-5', 'm-7', 'm-8'] })
  })

  test('what was arranged with the team goes last: who is asked for what is still known', () => {
    const asks: AssistantMessage = {
      ...says('I ask.'),
      content: [
        { type: 'tool_use', id: 't', name: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } },
      ],
      stop: 'tools',
    }
    const rounds = ['a', 'b', 'c', 'd'].flatMap((id) => [says(id, id), found(id, small)])
    const log = logged([userMessage('Go.'), asks, found('t', 'r1 → ana'), ...rounds])
    expect(planCompaction(log)?.dropped).toEqual(['m-4', 'm-5', 'm-6', 'm-7', 'm-8', 'm-9'])
    const alone = logged([userMessage('Go.'), asks, found('t', small), asks, found('t', small), says('Done.')])
    expect(planCompaction(alone)?.dropped).toEqual(['m-2', 'm-3', 'm-4', 'm-5'])
  })

  test('images in results', () => {
    const image = { type: 'image' as const, media_type: 'image/png', data: 'A'.repeat(5_000) }
    const shown: Message = {
      role: 'tool',
      results: [{ call_id: 'a', tool: 'Read', content: [image], is_error: false }],
    }
    expect(planCompaction(logged([userMessage('Go.'), says('A', 'a'), shown]))?.trimmed).toEqual(['m-3'])
    expect(
      textOf({ content: (shortMessage(shown) as typeof shown & { role: 'tool' }).results[0]?.content ?? [] }),
    ).toBe('[an image of type image/png was left out]')
  })

  test('nothing, where the length is somebody else’s or hardly anything would be won', () => {
    expect(planCompaction(logged([userMessage(long)]))).toBeNull()
    expect(planCompaction(logged([userMessage(long), says('A', 'a'), found('a', 'x'), says('B')]))).toBeNull()
    expect(planCompaction([])).toBeNull()
  })
})

test('the model is told what it misses', () => {
  const plan = { trimmed: ['a'], dropped: ['b', 'c'], before: 10, after: 5 }
  expect(compactionText(plan)).toContain('long results were shortened and the oldest 2 messages of your own work')
  expect(compactionText({ ...plan, dropped: [] })).toMatch(
    /^The conversation had become too long: long results were shortened\. /,
  )
})

const entry = (seq: number, fact: object): Entry =>
  ({ v: 1, seq, id: `m-${seq}`, parent: null, at: 0, ...fact }) as unknown as Entry

const round = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 6_000 }), fc.boolean())

prop.prop([fc.array(round, { maxLength: 12 })])(
  'every call keeps its result, and nothing more can be won',
  (rounds) => {
    const messages = rounds.flatMap(([count, length, mail], turn): Message[] => {
      const ids = Array.from({ length: count }, (_, index) => `c${turn}-${index}`)
      const results = ids
        .map((id) => found(id, 'y'.repeat(length)))
        .flatMap((message) => (message.role === 'tool' ? message.results : []))
      return [
        says('z'.repeat(length), ...ids),
        ...(results.length > 0 ? [{ role: 'tool' as const, results }] : []),
        ...(mail ? [userMessage(`mail ${turn}`, 'runtime')] : []),
      ]
    })
    const conversation = conversationOf(
      [userMessage('Go.'), ...messages].map((message, index) =>
        entry(index + 1, { type: 'message.appended', message }),
      ),
    )
    const before = [...conversation.messages]
    const plan = planCompaction(logOf(conversation))
    if (plan === null) return
    appendEntry(conversation, entry(99, { type: 'context.compacted', trigger: 'reactive', ...plan }))
    const after = conversation.messages
    expect(after.filter(({ role }) => role === 'user')).toEqual(before.filter(({ role }) => role === 'user'))
    expect(after.findLast(({ role }) => role === 'assistant')).toBe(before.findLast(({ role }) => role === 'assistant'))
    for (const [index, message] of after.entries()) {
      if (message.role !== 'assistant' || callsOf(message).length === 0) continue
      const next = after[index + 1]
      expect(next?.role === 'tool' && next.results.map(({ call_id }) => call_id)).toEqual(
        callsOf(message).map(({ id }) => id),
      )
    }
    expect(JSON.stringify(after).length).toBeLessThan(JSON.stringify(before).length)
    expect(plan.after).toBeLessThanOrEqual(plan.before * 0.9)
  },
)
