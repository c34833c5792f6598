import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { AssistantMessage, ImageBlock, TextBlock, ToolResult } from '../../protocol/message.ts'
import type { ModelRequest } from '../../protocol/model.ts'
import type { ToolSpec } from '../../protocol/tool.ts'
import { historyWriter, wellFormed, type Dialect, type Round } from './history.ts'
import { argumentsOf, goesOut, plainName, resultsOf, sendable, wordsOf } from './pairing.ts'

export const openAiVendor = 'openai'

/** What a thinking block of this vendor carries unseen: the reasoning item as it came. */
export interface OpenAiSeal {
  readonly vendor: typeof openAiVendor
  readonly item: Readonly<Record<string, unknown>>
}

/**
 * Writes requests of the Responses API as text. Nothing is stored at the vendor's: reasoning travels back and
 * forth encrypted.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function responsesRequests(model: string): (request: ModelRequest, sealed: boolean) => string {
  const write = historyWriter(dialect)
  const toolTexts = new WeakMap<readonly ToolSpec[], string>()
  return (request, sealed) => {
    const { system, messages, tools, max_tokens } = request
    const toolText = toolTexts.get(tools) ?? wellFormed(tools.map(toolOf))
    toolTexts.set(tools, toolText)
    const head = wellFormed({
      model,
      stream: true,
      store: false,
      ...(sealed ? { include: ['reasoning.encrypted_content'] } : {}),
      ...(system.trim() === '' ? {} : { instructions: system }),
      ...(max_tokens === undefined ? {} : { max_output_tokens: max_tokens }),
    }).slice(0, -1)
    return `${head}${tools.length === 0 ? '' : `,"tools":${toolText}`},"input":[${write(messages)}]}`
  }
}

function toolOf({ name, description, parameters }: ToolSpec): unknown {
  return { type: 'function', name, description, parameters: { type: 'object', ...parameters }, strict: false }
}

const dialect: Dialect = {
  speaks: (message) => saidItems([message]).length > 0,
  spell: (round) => {
    const words = wordsOf(round).map(wordOf)
    return [
      ...saidItems(round.said),
      ...resultsOf(round).map(resultOf),
      ...(words.length === 0 ? [] : [{ role: 'user' as const, content: words }]),
    ]
  },
}

/** Reasoning is taken back only before what it led to. */
function saidItems(said: Round['said']): readonly ResponseInputItem[] {
  return said.flatMap((message) => {
    const items = message.content.flatMap((block) => itemsOf(block, goesOut(message)))
    while (items.at(-1)?.type === 'reasoning') items.pop()
    return items
  })
}

function itemsOf(block: AssistantMessage['content'][number], whole: boolean): readonly ResponseInputItem[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'message', role: 'assistant', content: block.text }]
    case 'thinking':
      return whole ? reasoningOf(block.opaque) : []
    case 'tool_use': {
      const { id, name } = block
      const args = JSON.stringify(argumentsOf(block))
      return whole ? [{ type: 'function_call', call_id: id, name: plainName(name), arguments: args }] : []
    }
    default:
      return whole && block.vendor === openAiVendor ? [block.raw as ResponseInputItem] : []
  }
}

/** An item that is not sealed stands for something stored, and nothing is. */
function reasoningOf(opaque: unknown): readonly ResponseInputItem[] {
  if (typeof opaque !== 'object' || opaque === null) return []
  const { vendor, item } = opaque as Partial<OpenAiSeal>
  const isSealed = vendor === openAiVendor && typeof item?.['encrypted_content'] === 'string'
  return isSealed ? [item as unknown as ResponseInputItem] : []
}

function resultOf({ call_id, content }: ToolResult): ResponseInputItem {
  const parts = sendable(content)
  const isText = parts.every((part) => part.type === 'text')
  return {
    type: 'function_call_output',
    call_id,
    output: isText ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') : parts.map(wordOf),
  }
}

function wordOf(block: TextBlock | ImageBlock) {
  if (block.type === 'text') return { type: 'input_text' as const, text: block.text }
  return {
    type: 'input_image' as const,
    detail: 'auto' as const,
    image_url: `data:${block.media_type};base64,${block.data}`,
  }
}
