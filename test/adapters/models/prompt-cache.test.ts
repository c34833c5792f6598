import { expect, test } from 'vitest'
import { chatRequests } from '../../../src/adapters/models/chat/request.ts'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'
import { cacheServer } from '../../support/cache-server.ts'

const tools = Array.from({ length: 8 }, (_, n) => ({
  name: `Tool${n}`,
  description: 'Does something of use. '.repeat(20),
  parameters: { type: 'object', properties: { path: { type: 'string' } } },
}))

/** One turn: so many calls at once, and their results. */
function turnOf(turn: number, calls: number): readonly Message[] {
  const ids = Array.from({ length: calls }, (_, n) => `c${turn}_${n}`)
  const answer: AssistantMessage = {
    role: 'assistant',
    model: 'm',
    content: [
      { type: 'text', text: `Turn ${turn}.` },
      ...ids.map((id) => ({ type: 'tool_use' as const, id, name: 'Tool1', input: { path: id } })),
    ],
    stop: 'tools',
    usage: noUsage,
  }
  const results = ids.map((call_id) => ({
    call_id,
    tool: 'Tool1',
    content: [{ type: 'text' as const, text: `what stands in ${call_id} `.repeat(10) }],
    is_error: false,
  }))
  return [answer, ...(calls === 0 ? [userMessage('And?')] : [{ role: 'tool' as const, results }])]
}

test('of what a request held, the next one reads nineteen twentieths from the cache: seven members, forty turns', () => {
  let held = 0
  let read = 0
  for (let member = 0; member < 7; member += 1) {
    const write = anthropicRequests('m')
    const ask = cacheServer()
    const messages: Message[] = [userMessage('Begin.')]
    const request: ModelRequest = { agent: `a${member}`, system: `You are ${member}. `.repeat(300), messages, tools }
    let before = ask(write(request, new Set())).all
    for (let turn = 0; turn < 40; turn += 1) {
      messages.push(...turnOf(turn, (turn * 7 + member * 5) % 31))
      const seen = ask(write(request, new Set()))
      expect(seen.marks).toBeLessThanOrEqual(4)
      held += before
      read += Math.min(seen.read, before)
      before = seen.all
    }
  }
  expect(read / held).toBeGreaterThanOrEqual(0.95)
})

test.for([10, 12, 30])('%i parallel calls in every turn lose nothing of the cache', (calls) => {
  const write = anthropicRequests('m')
  const ask = cacheServer()
  const messages: Message[] = [userMessage('Begin.')]
  const request: ModelRequest = { agent: 'a', system: 'You work. '.repeat(600), messages, tools }
  let before = ask(write(request, new Set())).all
  for (let turn = 0; turn < 10; turn += 1) {
    messages.push(...turnOf(turn, calls))
    const seen = ask(write(request, new Set()))
    expect(seen.read).toBeGreaterThanOrEqual(before)
    before = seen.all
  }
})

test('tools and the system prompt are kept longer than the conversation where that is wished', () => {
  const cache = { head: '1h', talk: '5m' } as const
  const request: ModelRequest = { agent: 'a', system: 'You work.', messages: [userMessage('Go.')], tools, cache }
  const body = JSON.parse(anthropicRequests('m')(request, new Set())) as Record<string, readonly object[]>
  const long = { cache_control: { type: 'ephemeral', ttl: '1h' } }
  expect(body['tools']?.at(-1)).toMatchObject(long)
  expect(body['system']?.[0]).toMatchObject(long)
  expect(body['messages']).toEqual([
    { role: 'user', content: [{ type: 'text', text: 'Go.', cache_control: { type: 'ephemeral' } }] },
  ])
})

test('a gateway to Claude gets marks in the words of chat completions; other models get none', () => {
  const messages: Message[] = [userMessage('Begin.'), ...turnOf(1, 2), ...turnOf(2, 1)]
  const request: ModelRequest = { agent: 'a', system: 'You work.', messages, tools }
  const write = (model: string, conceded: ReadonlySet<'cache'> = new Set()) => chatRequests(model)(request, conceded)
  const marked = JSON.parse(write('anthropic/claude-opus-5')) as { messages: { role: string; content: unknown }[] }
  const marks = marked.messages.filter(({ content }) => JSON.stringify(content ?? '').includes('cache_control'))
  expect(marks.map(({ role }) => role)).toEqual(['system', 'tool', 'tool'])
  expect(write('qwen/qwen-4')).not.toContain('cache_control')
  expect(write('anthropic/claude-opus-5', new Set(['cache']))).toBe(
    write('qwen/qwen-4').replace('qwen/qwen-4', 'anthropic/claude-opus-5'),
  )
})
