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
import { planCompaction } from '../../../src/rules/conversation/compaction.ts'
import type { Logged } from '../../../src/rules/conversation/logged.ts'
import { appendEntry, conversationOf, logOf } from '../../../src/rules/conversation/context-window.ts'
import { messageChars } from '../../../src/rules/conversation/fullness.ts'
import { shortMessage } from '../../../src/rules/conversation/short-message.ts'

const asks = (text: string, ...calls: readonly (readonly [id: string, name: string, input: unknown])[]) => ({
  role: 'assistant' as const,
  model: 'm',
  content: [
    { type: 'text' as const, text },
    ...calls.map(([id, name, input]) => ({ type: 'tool_use' as const, id, name, input })),
  ],
  stop: calls.length > 0 ? ('tools' as const) : ('end' as const),
  usage: noUsage,
})
const says = (text: string, ...calls: readonly string[]): AssistantMessage =>
  asks(text, ...calls.map((id) => [id, 'Grep', {}] as const))
const found = (call_id: string, text: string, tool = 'Grep'): Message => ({
  role: 'tool',
  results: [{ call_id, tool, content: [{ type: 'text', text }], is_error: false }],
})
const logged = (messages: readonly Message[]): Logged[] =>
  messages.map((message, index) => ({ id: `m-${index + 1}`, message }))
const sizeIn = (messages: readonly Message[]): number =>
  messages.reduce((sum, message) => sum + messageChars(message), 0)
const resultOf = (message: Message): string =>
  message.role === 'tool' ? message.results.map((result) => textOf(result)).join('') : ''

const small = 'word '.repeat(100)
const long = `begin ${'x'.repeat(9_000)} end`
const latest = [says('Last.', 'z'), found('z', 'ok')]

describe('what is left out', () => {
  test('long results first: their beginning and their end stay', () => {
    const log = logged([
      userMessage('Go.'),
      says('A', 'a'),
      found('a', small),
      says('B', 'b'),
      found('b', long),
      ...latest,
    ])
    expect(planCompaction(log, { chars: 5_000 })).toMatchObject({
      trimmed: ['m-5'],
      cut: {},
      dropped: [],
      summarises: false,
    })
    expect(resultOf(shortMessage(found('b', long)))).toMatch(
      /^begin x+\n\[… 7410 characters were left out to make room …\]\nx+ end$/,
    )
  })

  test('readings that are out of date: of what was read again or changed, not of a part that was read beside', () => {
    const read = (id: string, file_path: string, more = {}) => asks('', [id, 'Read', { file_path, ...more }])
    const log = logged([
      userMessage('Go.'),
      read('a', '/x'),
      found('a', small, 'Read'),
      read('b', '/y', { offset: 1 }),
      found('b', small, 'Read'),
      read('c', '/x'),
      found('c', small, 'Read'),
      read('d', '/y', { offset: 9 }),
      found('d', small, 'Read'),
      asks('', ['e', 'Edit', { file_path: '/x' }]),
      found('e', 'ok', 'Edit'),
      read('f', '/y', { offset: 1 }),
      found('f', '[Nothing has changed]', 'Read'),
      ...latest,
    ])
    expect(planCompaction(log, { chars: sizeIn(log.map(({ message }) => message)) - 600 })?.stale).toEqual({
      'm-3': ['a'],
      'm-7': ['c'],
    })
    expect(resultOf(shortMessage(found('a', small, 'Read'), { stale: ['a'] }))).toMatch(/out of date/)
  })

  test('the latest todo list stays whole until a summary says it; earlier ones are out of date', () => {
    const list = '[ ] Look at the doors\n'.repeat(40)
    const writes = (id: string) => [asks('', [id, 'TodoWrite', {}]), found(id, list, 'TodoWrite')]
    const rounds = ['c', 'd', 'e'].flatMap((id) => [says('', id), found(id, small)])
    const log = logged([userMessage('Go.'), ...writes('a'), ...writes('b'), ...rounds, ...latest])
    const plan = planCompaction(log, { chars: 1_600 })
    expect(plan).toMatchObject({ summarises: false, dropped: ['m-2', 'm-3', 'm-6', 'm-7', 'm-8', 'm-9'] })
    expect(planCompaction(log, { chars: 3_000 })?.stale).toEqual({ 'm-3': ['a'] })
    expect(resultOf(shortMessage(found('a', list, 'TodoWrite'), { chars: 500 }))).toBe(list)
    const summary = userMessage(list, 'summary')
    expect(shortMessage(summary, { chars: 500 })).toBe(summary)
  })

  test('then rounds without a word, the oldest first; what was arranged with the team stays', () => {
    const rounds = ['a', 'b', 'c'].flatMap((id) => [says('', id), found(id, small)])
    const told = asks('', ['d', 'Delegate', { subtasks: [] }])
    const log = logged([userMessage('Go.'), told, found('d', 'r1 → ana'), ...rounds, says('B', 'x'), found('x', small)])
    const goal = sizeIn(log.map(({ message }) => message)) - 700
    expect(planCompaction(log, { chars: goal })).toMatchObject({
      dropped: ['m-4', 'm-5', 'm-6', 'm-7'],
      summarises: false,
    })
  })

  test('then results down to a few words; then all that is old, for which a summary stands in', () => {
    const rounds = ['a', 'b', 'c', 'd'].flatMap((id) => [
      says(`I say ${id}. ${'So. '.repeat(80)}`, id),
      found(id, small + small),
    ])
    const log = logged([userMessage('Go.', 'runtime'), ...rounds, ...latest])
    const brief = planCompaction(log, { chars: 4_400 })
    expect(brief).toMatchObject({ cut: { 'm-3': 300 }, dropped: [], summarises: false })
    const old = ['m-1', 'm-2', 'm-3', 'm-4', 'm-5', 'm-6', 'm-7', 'm-8', 'm-9']
    expect(planCompaction(log, { chars: 1_000 })).toMatchObject({ cut: {}, dropped: old, summarises: true })
    const pinned = (message: Message): boolean => message === log[0]?.message
    expect(planCompaction(log, { chars: 1_000, pinned })?.dropped).toEqual(old.slice(1))
  })

  test('the latest words of people stay where there is room for them', () => {
    const rounds = ['a', 'b'].flatMap((id) => [says(small, id), found(id, small)])
    const log = logged([userMessage(small.repeat(5)), ...rounds, userMessage('Use tabs.'), ...rounds, ...latest])
    expect(planCompaction(log, { chars: 1_000 })?.dropped).not.toContain('m-6')
    expect(planCompaction(log, { chars: 1_000 })?.dropped).toContain('m-1')
  })

  test('at last long words of others, and the results of the latest round', () => {
    const log = logged([userMessage(long, 'runtime'), says('A', 'a'), found('a', long)])
    const plan = planCompaction(log, { chars: 3_000, pinned: () => true })
    expect(plan).toMatchObject({ dropped: [], cut: { 'm-1': 1_000, 'm-3': 1_000 } })
    expect(plan?.after).toBeLessThan(3_500)
  })

  test('images in results', () => {
    const image = { type: 'image' as const, media_type: 'image/png', data: 'A'.repeat(5_000) }
    const shown: Message = {
      role: 'tool',
      results: [{ call_id: 'a', tool: 'Read', content: [image], is_error: false }],
    }
    const log = logged([userMessage('Go.'), says('A', 'a'), shown, ...latest])
    expect(planCompaction(log, { chars: 1_000 })?.trimmed).toEqual(['m-3'])
    expect(resultOf(shortMessage(shown))).toBe('[an image of type image/png was left out]')
  })

  test('nothing, where hardly anything would be won', () => {
    expect(
      planCompaction(logged([userMessage(small), says('A', 'a'), found('a', 'x'), says('B')]), { chars: 9_000 }),
    ).toBeNull()
    expect(planCompaction([], { chars: 0 })).toBeNull()
  })

  test('all that is old, where a person asks for it', () => {
    const log = logged([userMessage('Go.', 'runtime'), says('A', 'a'), found('a', small), ...latest])
    expect(planCompaction(log, { chars: 600, whole: true })).toMatchObject({
      summarises: true,
      dropped: ['m-1', 'm-2', 'm-3'],
    })
  })
})

const entry = (seq: number, fact: object): Entry =>
  ({ v: 1, seq, id: `m-${seq}`, parent: null, at: 0, ...fact }) as unknown as Entry

const round = fc.tuple(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 6_000 }),
  fc.constantFrom('none', 'after', 'between'),
  fc.boolean(),
)

prop.prop([fc.array(round, { maxLength: 12 }), fc.integer({ min: 0, max: 30_000 }), fc.boolean()])(
  'whatever is left out: every call keeps its result, the first words are somebody else’s, and it gets shorter',
  (rounds, chars, whole) => {
    const messages = rounds.flatMap(([count, length, mail, isCut], turn): Message[] => {
      const ids = Array.from({ length: count }, (_, index) => `c${turn}-${index}`)
      const results = ids
        .map((id) => found(id, 'y'.repeat(length)))
        .flatMap((message) => (message.role === 'tool' ? message.results : []))
      const told = mail === 'none' ? [] : [userMessage(`mail ${turn}`, 'runtime')]
      const answered = results.length > 0 ? [{ role: 'tool' as const, results }] : []
      const answer = says(turn % 2 === 0 ? 'z'.repeat(length) : '', ...ids)
      return [
        isCut && count === 0 ? { ...answer, stop: 'pause' } : answer,
        ...(mail === 'between' ? [...told, ...answered] : [...answered, ...told]),
      ]
    })
    const conversation = conversationOf(
      [userMessage('Go.', 'runtime'), ...messages].map((message, index) =>
        entry(index + 1, { type: 'message.appended', message }),
      ),
    )
    const before = [...conversation.messages]
    const plan = planCompaction(logOf(conversation), { chars, whole })
    if (plan === null) return
    const summary = plan.dropped.length > 0 ? { summary: 'So it was.' } : {}
    appendEntry(conversation, entry(99, { type: 'context.compacted', trigger: 'auto', ...plan, ...summary }))
    const after = conversation.messages
    expect(after[0]?.role).toBe('user')
    const last = before.findLast(({ role }) => role === 'assistant')
    if (last) expect(after.findLast(({ role }) => role === 'assistant')).toEqual(last)
    for (const [index, message] of after.entries()) {
      if (message.role !== 'assistant' || callsOf(message).length === 0) continue
      const next = after[index + 1]
      expect(next?.role === 'tool' && next.results.map(({ call_id }) => call_id)).toEqual(
        callsOf(message).map(({ id }) => id),
      )
    }
    expect(conversation.gauge.chars).toBe(sizeIn(logOf(conversation).map(({ message }) => message)))
    expect(conversation.gauge.chars - (summary.summary?.length ?? 0)).toBe(plan.after)
    if (!whole) expect(plan.after).toBeLessThanOrEqual(plan.before * 0.9)
  },
)
