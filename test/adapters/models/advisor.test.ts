import { expect, test } from 'vitest'
import { anthropicAnswer } from '../../../src/adapters/models/anthropic/answer.ts'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { noUsage, userMessage, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'

const advisor = { model: 'claude-opus-5', max_uses: 2, max_tokens: 700 }
const call = { type: 'server_tool_use', id: 'srv_1', name: 'advisor', input: {} }
const advice = {
  type: 'advisor_tool_result',
  tool_use_id: 'srv_1',
  content: { type: 'advisor_result', text: 'Left.', stop_reason: 'end_turn' },
}
const answered: AssistantMessage = {
  role: 'assistant',
  model: 'anthropic/m',
  content: [
    { type: 'foreign', vendor: 'anthropic', raw: call },
    { type: 'foreign', vendor: 'anthropic', raw: advice },
    { type: 'text', text: 'I go left.' },
  ],
  stop: 'end',
  usage: noUsage,
}
const request: ModelRequest = {
  agent: 'a',
  system: 'Be.',
  messages: [userMessage('Which way?'), answered, userMessage('And now?')],
  tools: [{ name: 'Read', description: 'Reads.', parameters: { properties: {} } }],
}
interface Body {
  readonly tools: readonly Readonly<Record<string, unknown>>[]
  readonly messages: readonly { readonly content: readonly { readonly type: string }[] }[]
}
const written = (more: Partial<ModelRequest>, conceded: ReadonlySet<'advisor'> = new Set()): Body =>
  JSON.parse(anthropicRequests('m')({ ...request, ...more }, conceded)) as Body
const said = ({ messages }: Body) => messages[1]?.content.map(({ type }) => type)

test('an advisor is offered as the last tool, with the least room that the server takes', () => {
  const { tools } = written({ advisor })
  expect(tools.map(({ name }) => name)).toEqual(['Read', 'advisor'])
  expect(tools.at(-1)).toMatchObject({
    type: 'advisor_20260301',
    model: 'claude-opus-5',
    max_uses: 2,
    max_tokens: 1_024,
  })
})

test('what it said goes back unchanged while it is offered, and not at all when it is not', () => {
  const body = written({ advisor })
  expect(body.messages[1]?.content.slice(0, 2)).toEqual([call, advice])
  expect(said(written({}))).toEqual(['text'])
  const refused = written({ advisor }, new Set(['advisor']))
  expect(refused.tools.map(({ name }) => name)).toEqual(['Read'])
  expect(said(refused)).toEqual(['text'])
})

test('its inferences are counted apart from those of the model', () => {
  const answer = anthropicAnswer()
  const usage = {
    input_tokens: 10,
    output_tokens: 5,
    iterations: [
      { type: 'message', input_tokens: 10, output_tokens: 5 },
      { type: 'advisor_message', model: 'claude-opus-5', input_tokens: 900, output_tokens: 300 },
      null,
    ],
  }
  answer.take({ type: 'message_start', message: { id: 'm', usage: { input_tokens: 10 } } })
  answer.take({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage })
  expect(answer.usage()).toEqual({ ...noUsage, input: 10, output: 5 })
  expect(answer.advice?.()).toEqual([
    { id: 'advice-1', model: 'anthropic/claude-opus-5', usage: { ...noUsage, input: 900, output: 300 } },
  ])
})
