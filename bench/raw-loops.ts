import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { noopInput, type Work } from './noop.ts'

/* The floor: the vendor's own SDK in a loop by hand. Nothing is kept and nothing is asked. */

/** Loops over Anthropic Messages on this server. */
export function messagesLoop(url: string) {
  const client = new Anthropic({ apiKey: 'key-of-the-bench', baseURL: url, maxRetries: 0 })
  const tools = [{ name: 'Noop', description: 'does nothing', input_schema: noopInput }]
  return async ({ system, prompt, onText, signal }: Work): Promise<string> => {
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
    for (;;) {
      const stream = client.messages.stream(
        { model: 'm', max_tokens: 4_096, system, tools, messages },
        signal ? { signal } : {},
      )
      if (onText) stream.on('text', onText)
      // A loop asks again because of what it was answered.
      // oxlint-disable-next-line no-await-in-loop
      const { content } = await stream.finalMessage()
      const calls = content.filter((block) => block.type === 'tool_use')
      if (calls.length === 0) return content.map((block) => (block.type === 'text' ? block.text : '')).join('')
      messages.push({ role: 'assistant', content })
      const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' }))
      messages.push({ role: 'user', content: results })
    }
  }
}

/** Loops over OpenAI chat completions on this server. */
export function chatLoop(url: string) {
  const client = new OpenAI({ apiKey: 'key-of-the-bench', baseURL: url, maxRetries: 0 })
  return async (work: Work): Promise<string> => {
    const { system, prompt } = work
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ]
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop
      const { text, calls } = await chatAnswer(client, messages, work)
      if (calls.length === 0) return text
      messages.push({ role: 'assistant', content: text || null, tool_calls: calls })
      for (const { id, function: called } of calls) {
        JSON.parse(called.arguments)
        messages.push({ role: 'tool', tool_call_id: id, content: 'ok' })
      }
    }
  }
}

const noop = { name: 'Noop', description: 'does nothing', parameters: noopInput }

async function chatAnswer(client: OpenAI, messages: OpenAI.ChatCompletionMessageParam[], { onText, signal }: Work) {
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = []
  let text = ''
  const stream = await client.chat.completions.create(
    {
      model: 'm',
      messages,
      tools: [{ type: 'function', function: noop }],
      stream: true,
      stream_options: { include_usage: true },
    },
    signal ? { signal } : {},
  )
  for await (const { choices } of stream) {
    const { content, tool_calls = [] } = choices[0]?.delta ?? {}
    if (content) {
      text += content
      onText?.(content)
    }
    for (const { index, id = '', function: part } of tool_calls) {
      const call = (calls[index] ??= { id, type: 'function', function: { name: part?.name ?? '', arguments: '' } })
      call.function.arguments += part?.arguments ?? ''
    }
  }
  // The SDK ends a stream that was aborted as if it had come to its end.
  signal?.throwIfAborted()
  return { text, calls }
}
