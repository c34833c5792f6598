import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { measure, noopInput, prompt, task, type Wire } from './plan.ts'

/* The floor: the vendor's own SDK in a loop by hand for each worker, all at once, nothing kept and nothing asked. */
const [wire, url] = process.argv.slice(2) as [Wire, string]

const anthropic = new Anthropic({ apiKey: 'key-of-the-bench', baseURL: url, maxRetries: 0 })
const openai = new OpenAI({ apiKey: 'key-of-the-bench', baseURL: url, maxRetries: 0 })

async function overMessages(n: number): Promise<void> {
  const tools = [{ name: 'Noop', description: 'does nothing', input_schema: noopInput }]
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: task(n) }]
  for (;;) {
    const asked = { model: 'm', max_tokens: 4_096, system: prompt, tools, messages }
    // A loop asks again because of what it was answered.
    // oxlint-disable-next-line no-await-in-loop
    const { content } = await anthropic.messages.stream(asked).finalMessage()
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) return
    messages.push({ role: 'assistant', content })
    const results = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: 'ok' }))
    messages.push({ role: 'user', content: results })
  }
}

async function overChat(n: number): Promise<void> {
  const noop = { name: 'Noop', description: 'does nothing', parameters: noopInput }
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: prompt },
    { role: 'user', content: task(n) },
  ]
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop
    const { text, calls } = await chatAnswer(messages, noop)
    if (calls.length === 0) return
    messages.push({ role: 'assistant', content: text || null, tool_calls: calls })
    for (const { id } of calls) messages.push({ role: 'tool', tool_call_id: id, content: 'ok' })
  }
}

async function chatAnswer(messages: OpenAI.ChatCompletionMessageParam[], noop: OpenAI.FunctionDefinition) {
  const calls: OpenAI.ChatCompletionMessageFunctionToolCall[] = []
  let text = ''
  const stream = await openai.chat.completions.create({
    model: 'm',
    messages,
    tools: [{ type: 'function', function: noop }],
    stream: true,
    stream_options: { include_usage: true },
  })
  for await (const { choices } of stream) {
    const { content, tool_calls = [] } = choices[0]?.delta ?? {}
    text += content ?? ''
    for (const { index, id = '', function: part } of tool_calls) {
      const call = (calls[index] ??= { id, type: 'function', function: { name: part?.name ?? '', arguments: '' } })
      call.function.arguments += part?.arguments ?? ''
    }
  }
  return { text, calls }
}

const loop = wire === 'anthropic' ? overMessages : overChat
await measure(async (workers) => {
  await Promise.all(Array.from({ length: workers }, (_, n) => loop(n)))
})
