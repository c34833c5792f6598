import { describe, expect, test } from 'vitest'
import { applyLive, applyPanes, emptyPanes, viewOf, type Panes } from '../../../src/projections/screen/panes.ts'
import type { CallBlock } from '../../../src/projections/screen/pane-blocks.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import type { AssistantMessage, ToolUseBlock } from '../../../src/protocol/conversation/message.ts'
import { noUsage, userMessage } from '../../../src/protocol/conversation/message.ts'

/** A run of a lead and a worker, and what its journals said so far. */
function begin() {
  const state = emptyPanes({
    lead: 'lead',
    members: [
      { name: 'lead', model: 'a/b' },
      { name: 'ana', model: '' },
    ],
  })
  let seq = 0
  const hear = (owner: string, ...facts: readonly Fact[]): void => {
    for (const fact of facts) {
      seq += 1
      const frame = { v: 1, seq, id: `${owner}-${seq}`, parent: null, at: seq } as const
      applyPanes(state, { owner, entry: { ...frame, ...fact } })
    }
  }
  return { state, hear }
}

const said = (text: string, ...calls: readonly ToolUseBlock[]): Fact => {
  const message: AssistantMessage = {
    role: 'assistant',
    model: 'a/b',
    content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
    stop: calls.length > 0 ? 'tools' : 'end',
    usage: noUsage,
  }
  return { type: 'message.appended', message }
}
const bash: ToolUseBlock = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'make' } }
const answer = (text: string, is_error = false): Fact => ({
  type: 'message.appended',
  message: {
    role: 'tool',
    results: [{ call_id: 'c1', tool: 'Bash', content: [{ type: 'text', text }], is_error }],
  },
})

const paneOf = ({ panes }: Panes, name: string) => panes.get(name) ?? expect.unreachable(`no pane of ${name}`)
const callOf = (state: Panes): CallBlock => {
  const block = paneOf(state, 'ana').blocks.find(({ kind }) => kind === 'call')
  return block?.kind === 'call' ? block : expect.unreachable('no call')
}
const writingOf = (state: Panes): string => {
  const { finished, open } = paneOf(state, 'ana').saying
  return [...finished.map(({ text }) => text), open].join('\n')
}

describe('what is being written', () => {
  test('stands behind what is written down until the journal has it', () => {
    const { state, hear } = begin()
    hear('ana', { type: 'model.requested', turn: 1, model: 'a/b' })
    for (const text of ['Two\nli', 'nes', ' and more']) applyLive(state, { type: 'text.delta', member: 'ana', text })
    expect(writingOf(state)).toBe('Two\nlines and more')
    hear('ana', said('Two\nlines and more, finished.'))
    expect(writingOf(state)).toBe('')
    expect(paneOf(state, 'ana').blocks).toMatchObject([{ kind: 'say', text: 'Two\nlines and more, finished.' }])
  })

  test.each([
    ['the answer is asked for again', (state: Panes) => applyLive(state, { type: 'text.reset', member: 'ana' })],
    [
      'the next answer begins',
      (state: Panes) => applyLive(state, { type: 'request.start', member: 'ana', turn: 2, model: 'a/b' }),
    ],
  ])('is void when %s', (_, happens) => {
    const { state } = begin()
    applyLive(state, { type: 'text.delta', member: 'ana', text: 'half' })
    happens(state)
    expect(writingOf(state)).toBe('')
  })

  test('changes nothing of what stays, whatever of it is lost', () => {
    const facts = [said('Look.', bash), answer('ok'), said('Done.')]
    const [whole, lossy] = [begin(), begin()]
    whole.hear('ana', ...facts)
    applyLive(lossy.state, { type: 'text.delta', member: 'ana', text: 'Lo' })
    applyLive(lossy.state, { type: 'dropped', member: 'ana', count: 3 })
    applyLive(lossy.state, { type: 'tool.progress', member: 'nobody', call_id: 'c9', text: '?' })
    lossy.hear('ana', ...facts)
    expect(lossy.state).toEqual(whole.state)
  })

  test('says when some of it did not arrive', () => {
    const { state } = begin()
    applyLive(state, { type: 'text.delta', member: 'ana', text: 'half' })
    applyLive(state, { type: 'dropped', member: 'ana', count: 3 })
    expect([paneOf(state, 'ana').gap, paneOf(state, 'lead').gap]).toEqual([true, false])
  })

  test('is parted at empty lines outside of code, and code that is long goes on as code', () => {
    const { state } = begin()
    for (const piece of ['One\n', '\nTwo\n```ts\na\n', '\n\nb\n```\n\nThree']) {
      applyLive(state, { type: 'text.delta', member: 'ana', text: piece })
    }
    const { saying } = paneOf(state, 'ana')
    expect(saying.finished.map(({ text }) => text)).toEqual(['One\n\n', 'Two\n```ts\na\n\n\nb\n```\n\n'])
    expect(saying.open).toBe('Three')
    applyLive(state, { type: 'text.delta', member: 'ana', text: `\n\`\`\`ts\n${'let line = 1\n'.repeat(500)}` })
    const code = saying.finished.slice(3)
    expect(code.length).toBeGreaterThan(1)
    for (const { text } of code) expect(text).toMatch(/^```ts\nlet line = 1\n/)
  })

  test.each([`\`\`\`${'x'.repeat(9_000)}`, `\`\`\` ${'x'.repeat(9_000)}`, `a ${'x'.repeat(9_000)}`])(
    'is parted whatever it is, and ends',
    (text) => {
      const { state } = begin()
      applyLive(state, { type: 'text.delta', member: 'ana', text })
      const { finished, open } = paneOf(state, 'ana').saying
      const all = finished.map((section) => section.text).join('') + open
      expect(all.match(/x/g)?.length).toBeGreaterThanOrEqual(9_000)
    },
  )

  test('a text without line ends is kept in pieces that do not change any more', () => {
    const { state } = begin()
    const words = 'word '.repeat(1_000)
    applyLive(state, { type: 'text.delta', member: 'ana', text: words })
    const { finished, open } = paneOf(state, 'ana').saying
    expect(finished.length).toBeGreaterThan(1)
    expect(finished.map(({ text }) => text).join('') + open).toBe(words)
  })
})

describe('a call', () => {
  test('goes through its states in one place', () => {
    const { state, hear } = begin()
    const states = [
      said('', bash),
      {
        type: 'permission.requested',
        call_id: 'c1',
        tool: 'Bash',
        request: 'ana-1-1',
        decision: { behavior: 'ask', source: 'mode', reason: 'default asks', path: [] },
        deadline: null,
      },
      { type: 'call.started', call_id: 'c1', tool: 'Bash' },
      { type: 'call.finished', call_id: 'c1', tool: 'Bash', is_error: false, duration_ms: 7 },
      answer('built'),
    ] as unknown as Fact[]
    const seen = states.map((fact) => {
      hear('ana', fact)
      return callOf(state).state
    })
    expect(seen).toEqual(['asked', 'waiting', 'running', 'done', 'done'])
    expect(callOf(state)).toMatchObject({ label: 'Bash(make)', result: 'built', duration_ms: 7 })
  })

  test('shows the end of what it says while it runs', () => {
    const { state, hear } = begin()
    hear('ana', said('', bash), { type: 'call.started', call_id: 'c1', tool: 'Bash' })
    applyLive(state, { type: 'tool.progress', member: 'ana', call_id: 'c1', text: 'x'.repeat(5_000) })
    applyLive(state, { type: 'tool.progress', member: 'ana', call_id: 'c1', text: 'last' })
    expect(callOf(state).progress).toMatch(/^x+last$/)
    expect(callOf(state).progress.length).toBe(4_000)
  })

  test('is replaced, never changed: a screen may keep what it made of it', () => {
    const { state, hear } = begin()
    hear('ana', said('', bash))
    const before = callOf(state)
    hear('ana', answer('no', true))
    expect(before.state).toBe('asked')
    expect(callOf(state)).toMatchObject({ state: 'failed', result: 'no' })
  })

  test('a message that was withdrawn leaves the pane, and later calls are found all the same', () => {
    const { state, hear } = begin()
    hear('ana', said('partial'), { type: 'message.tombstoned', target: 'ana-1' }, said('', bash), answer('ok'))
    expect(paneOf(state, 'ana').blocks).toMatchObject([{ kind: 'call', state: 'done', result: 'ok' }])
  })
})

test('what happens to the team stands with the member it is about, else with the lead', () => {
  const { state, hear } = begin()
  hear(
    'team',
    { type: 'member.crashed', member: 'ana', error: 'out of memory' },
    { type: 'warning.raised', code: 'heartbeat', message: 'late' },
  )
  expect(paneOf(state, 'ana').blocks).toMatchObject([{ kind: 'warning', text: 'out of memory' }])
  expect(paneOf(state, 'lead').blocks).toHaveLength(1)
  expect(viewOf(state, 'ana')).toMatchObject({ state: 'crashed', trouble: 'out of memory' })
})

test('who speaks is told apart', () => {
  const { state, hear } = begin()
  hear('ana', { type: 'message.appended', message: userMessage('Hello') })
  hear('ana', { type: 'message.appended', message: userMessage('Mind the time.', 'runtime') })
  expect(paneOf(state, 'ana').blocks.map(({ kind }) => kind)).toEqual(['person', 'note'])
})

test('the end of the run, its cost and the latest model are known', () => {
  const { state, hear } = begin()
  hear('ana', { type: 'model.requested', turn: 1, model: 'x/y' })
  const usage = { ...noUsage, input: 10 }
  hear('ana', { type: 'model.settled', turn: 1, model: 'x/y', stop: 'end', usage, cost_usd: 0.5, duration_ms: 1 })
  hear('team', { type: 'team.ended', status: 'completed', reason: 'completed', result: 'ok' })
  expect([state.ended, state.cost.total.cost_usd, paneOf(state, 'ana').model]).toEqual(['completed', 0.5, 'x/y'])
})
