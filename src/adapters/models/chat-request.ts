import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { callsOf, textOf, type ImageBlock, type TextBlock, type ToolResult } from '../../protocol/message.ts'
import type { ModelRequest } from '../../protocol/model.ts'
import type { ToolSpec } from '../../protocol/tool.ts'
import { historyWriter, wellFormed, type Dialect, type Round } from './history.ts'
import { argumentsOf, goesOut, plainName, resultsOf, sendable, wordsOf } from './pairing.ts'

export const chatVendor = 'chat'

/** Which field a thinking block came in: servers that want it back want it in the same one. */
export interface ChatSeal {
  readonly vendor: typeof chatVendor
  readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_details'
  readonly details?: readonly unknown[]
}

/** What a server made us leave out, or spell otherwise. */
export interface ChatSpelling {
  readonly counted: boolean
  readonly limitField: 'max_tokens' | 'max_completion_tokens'
}

/**
 * Writes requests of the chat completions API as text, for OpenAI and everyone who imitates it.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatRequests(model: string): (request: ModelRequest, spelling: ChatSpelling) => string {
  const write = historyWriter(dialect)
  const toolTexts = new WeakMap<readonly ToolSpec[], string>()
  return (request, { counted, limitField }) => {
    const { system, messages, tools, max_tokens } = request
    const toolText = toolTexts.get(tools) ?? wellFormed(tools.map(toolOf))
    toolTexts.set(tools, toolText)
    const head = wellFormed({
      model,
      stream: true,
      ...(counted ? { stream_options: { include_usage: true } } : {}),
      ...(max_tokens === undefined ? {} : { [limitField]: max_tokens }),
    }).slice(0, -1)
    const told = system.trim() === '' ? '' : wellFormed({ role: 'system', content: system })
    const items = [told, write(messages)].filter((text) => text !== '').join(',')
    return `${head}${tools.length === 0 ? '' : `,"tools":${toolText}`},"messages":[${items}]}`
  }
}

function toolOf({ name, description, parameters }: ToolSpec): unknown {
  return { type: 'function', function: { name, description, parameters: { type: 'object', ...parameters } } }
}

const dialect: Dialect = {
  speaks: (message) => textOf(message).trim() !== '' || (goesOut(message) && callsOf(message).length > 0),
  spell: (round) => {
    const results = resultsOf(round)
    const words = [...results.flatMap(imagesIn), ...wordsOf(round)]
    return [
      ...saidOf(round.said),
      ...results.map(resultOf),
      ...(words.length === 0 ? [] : [{ role: 'user', content: contentOf(words) }]),
    ]
  },
}

/** What the model said between two replies is one message: results must follow their calls directly. */
function saidOf(said: Round['said']): readonly ChatCompletionMessageParam[] {
  if (said.length === 0) return []
  const text = said.map((message) => textOf(message)).join('')
  const calls = said.flatMap((message) => (goesOut(message) ? callsOf(message) : []))
  if (calls.length === 0) return [{ role: 'assistant', content: text }]
  const tool_calls = calls.map((call) => ({
    id: call.id,
    type: 'function' as const,
    function: { name: plainName(call.name), arguments: JSON.stringify(argumentsOf(call)) },
  }))
  const content = text.trim() === '' ? null : text
  return [{ role: 'assistant', content, tool_calls, ...reasoningOf(said) }]
}

/** Thinking goes back with the calls it led to, in the field it came in. */
function reasoningOf(said: Round['said']): Readonly<Record<string, unknown>> {
  const fields: Record<string, unknown> = {}
  const texts: Partial<Record<ChatSeal['field'], string>> = {}
  for (const block of said.flatMap((message) => message.content)) {
    const seal = block.type === 'thinking' ? (block.opaque as Partial<ChatSeal> | undefined) : undefined
    if (block.type !== 'thinking' || seal?.vendor !== chatVendor || seal.field === undefined) continue
    fields[seal.field] = seal.details ?? (texts[seal.field] = (texts[seal.field] ?? '') + block.text)
  }
  return fields
}

function resultOf({ call_id, content }: ToolResult): ChatCompletionMessageParam {
  const texts = sendable(content).map((part) => (part.type === 'text' ? part.text : '[an image; see below]'))
  return { role: 'tool', tool_call_id: call_id, content: texts.join('\n') }
}

/** A tool message holds only text: its images are shown after all results. */
function imagesIn({ content, tool }: ToolResult): readonly (TextBlock | ImageBlock)[] {
  const images = sendable(content).filter((part) => part.type === 'image')
  return images.length === 0 ? [] : [{ type: 'text', text: `From ${tool}:` }, ...images]
}

function contentOf(words: readonly (TextBlock | ImageBlock)[]): string | ChatCompletionContentPart[] {
  const [only] = words
  if (words.length === 1 && only?.type === 'text') return only.text
  return words.map((block) =>
    block.type === 'text'
      ? { type: 'text', text: block.text }
      : { type: 'image_url', image_url: { url: `data:${block.media_type};base64,${block.data}` } },
  )
}
