import { Anthropic } from '@anthropic-ai/sdk'
import { test as property } from '@fast-check/vitest'
import { OpenAI } from 'openai'
import { expect } from 'vitest'
import { anthropicRequests } from '../../../src/adapters/models/anthropic/request.ts'
import { callsOf, textOf, userMessage, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import { request } from '../../contracts/model.ts'
import { framed, hearOdd } from './support/odd-answer.ts'
import { responsesStream } from './support/valid-responses.ts'
import { anthropicStream, chatStream, type Event } from './support/valid-streams.ts'

/** Every valid answer means to us what the vendors' own readers make of it. */

const few = { numRuns: 40 }

const clientOf = (events: readonly Event[]) => ({
  apiKey: 'k',
  maxRetries: 0,
  logLevel: 'off' as const,
  fetch: async () =>
    new Response(events.map((event) => `event: ${String(event['type'])}\n${framed([event])}`).join(''), {
      headers: { 'content-type': 'text/event-stream' },
    }),
})

const itemsOf = ({ content }: AssistantMessage): readonly unknown[] =>
  content.flatMap((block) => (block.type === 'foreign' ? [block.raw] : []))
const thoughtsOf = ({ content }: AssistantMessage): readonly string[] =>
  content.flatMap((block) => (block.type === 'thinking' ? [block.text] : []))
const readOf = (json: string): unknown => JSON.parse(json)
const namedOf = (message: AssistantMessage): readonly unknown[] =>
  callsOf(message).map(({ id, name, input }) => [id, name, input])

property.prop([anthropicStream], few)('anthropic', async (events) => {
  const { content, stop_reason, usage } = await new Anthropic(clientOf(events)).beta.messages
    .stream({ model: 'm', max_tokens: 9, messages: [] })
    .finalMessage()
  const heard = await hearOdd('anthropic', events)
  const of = (type: string) => content.filter((block) => block.type === type)
  expect(textOf(heard)).toBe(
    of('text')
      .map((block) => ('text' in block ? block.text : ''))
      .join(''),
  )
  expect(namedOf(heard)).toEqual(
    of('tool_use').map((block) => ('input' in block ? [block.id, block.name, block.input] : [])),
  )
  expect(heard.usage).toEqual({
    input: usage.input_tokens,
    output: usage.output_tokens,
    cache_read: usage.cache_read_input_tokens,
    cache_write: usage.cache_creation_input_tokens,
  })
  expect(stop_reason).toMatch(stops[heard.stop] ?? '')
  const messages = [userMessage('go'), heard]
  const sent = JSON.parse(anthropicRequests('m')({ ...request, messages }, new Set(['cache']))) as Sent
  const back = content.filter((block) => block.type !== 'text')
  expect(sent.messages[1]?.content.filter(({ type }) => type !== 'text')).toEqual(JSON.parse(JSON.stringify(back)))
})

interface Sent {
  readonly messages: readonly { readonly content: readonly Event[] }[]
}

const stops: Partial<Record<AssistantMessage['stop'], RegExp>> = {
  end: /^(end_turn|stop_sequence|stop)$/,
  tools: /^tool_(use|calls)$/,
  pause: /^pause_turn$/,
  max_tokens: /^(max_tokens|length)$/,
}

property.prop([chatStream], few)('chat', async (events) => {
  const { choices, usage } = await new OpenAI(clientOf(events)).chat.completions
    .stream({ model: 'm', messages: [], stream: true })
    .finalChatCompletion()
  const { message, finish_reason } = choices[0] ?? {}
  const heard = await hearOdd('chat', [...events, '[DONE]'])
  expect(textOf(heard)).toBe(message?.content ?? '')
  expect(heard.failure?.message).toBe(message?.refusal ?? undefined)
  if (heard.failure === undefined) expect(finish_reason).toMatch(stops[heard.stop] ?? '')
  const calls = heard.failure === undefined ? (message?.tool_calls ?? []) : []
  expect(namedOf(heard)).toEqual(
    calls.map((call) =>
      call.type === 'function' ? [call.id, call.function.name, readOf(call.function.arguments)] : [],
    ),
  )
  expect(heard.usage).toMatchObject({
    input: (usage?.prompt_tokens ?? 0) - (usage?.prompt_tokens_details?.cached_tokens ?? 0),
    output: usage?.completion_tokens,
    cache_read: usage?.prompt_tokens_details?.cached_tokens,
  })
})

property.prop([responsesStream], few)('responses', async (events) => {
  const { output, status, usage } = await new OpenAI(clientOf(events)).responses
    .stream({ model: 'm', input: '' })
    .finalResponse()
  const last = events.at(-1) ?? {}
  const bare = [...events.slice(0, -1), { ...last, response: { ...(last['response'] as object), output: [] } }]
  for (const sent of [events, bare]) {
    const heard = await hearOdd('responses', sent)
    const of = (type: string) => output.filter((item) => item.type === type)
    const texts = output.flatMap((item) => (item.type === 'message' ? item.content : []))
    expect(textOf(heard)).toBe(texts.map((part) => ('text' in part ? part.text : '')).join(''))
    expect(thoughtsOf(heard)).toEqual(
      of('reasoning').map((item) => ('summary' in item ? item.summary.map(({ text }) => text).join('\n\n') : '')),
    )
    expect(namedOf(heard)).toEqual(
      of('function_call').map((item) =>
        item.type === 'function_call' ? [item.call_id, item.name, readOf(item.arguments)] : [],
      ),
    )
    const known = new Set(['message', 'reasoning', 'function_call'])
    expect(itemsOf(heard)).toEqual(output.filter(({ type }) => !known.has(type)))
    expect(heard.stop === 'max_tokens').toBe(status === 'incomplete')
    expect(heard.usage).toMatchObject({
      input: (usage?.input_tokens ?? 0) - (usage?.input_tokens_details.cached_tokens ?? 0),
      output: usage?.output_tokens,
      cache_read: usage?.input_tokens_details.cached_tokens,
    })
  }
})
