import type {
  ContentBlockParam,
  MessageParam,
  ToolResultBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type { AssistantMessage, ImageBlock, TextBlock, ToolResult } from '../../protocol/message.ts'
import type { ModelRequest } from '../../protocol/model.ts'
import type { ToolSpec } from '../../protocol/tool.ts'
import { historyWriter, wellFormed, type Dialect, type Round, type RoundPlace } from './history.ts'
import { argumentsOf, goesOut, plainName, resultsOf, sendable, wordsOf } from './pairing.ts'

export const anthropicVendor = 'anthropic'

/** What a thinking block of this vendor carries unseen. */
export interface AnthropicSeal {
  readonly vendor: typeof anthropicVendor
  readonly signature?: string
  readonly redacted?: string
}

type Sent = AssistantMessage['content'][number]

const ephemeral = { cache_control: { type: 'ephemeral' } } as const
const defaultMaxTokens = 16_384

/**
 * Writes requests of the Messages API as text, valid by construction: roles alternate, every `tool_use` is
 * followed by its result, nothing is empty. Cache breakpoints sit on the tools, the system prompt and the end.
 *
 * @see https://docs.claude.com/en/api/messages
 */
export function anthropicRequests(model: string): (request: ModelRequest, cached: boolean) => string {
  const writers = { cached: historyWriter(dialect(true)), plain: historyWriter(dialect(false)) }
  const toolTexts = new WeakMap<readonly ToolSpec[], string>()
  return (request, cached) => {
    const { system, messages, tools, max_tokens = defaultMaxTokens } = request
    const mark = cached ? ephemeral : {}
    const toolText = toolTexts.get(tools) ?? wellFormed(tools.map(toolOf))
    toolTexts.set(tools, toolText)
    const head = wellFormed({
      model,
      max_tokens,
      stream: true,
      ...(system.trim() === '' ? {} : { system: [{ type: 'text', text: system, ...mark }] }),
    }).slice(0, -1)
    const toolPart = tools.length === 0 ? '' : `,"tools":${cached ? marked(toolText) : toolText}`
    return `${head}${toolPart},"messages":[${(cached ? writers.cached : writers.plain)(messages)}]}`
  }
}

function toolOf({ name, description, parameters }: ToolSpec): unknown {
  return { name, description, input_schema: { type: 'object', ...parameters } }
}

/** The mark goes into the last tool; the text ends in its brace and the list's bracket. */
function marked(toolText: string): string {
  return `${toolText.slice(0, -2)},${JSON.stringify(ephemeral).slice(1)}]`
}

function dialect(cached: boolean): Dialect {
  return {
    speaks: (message) => saidBlocks([message]).length > 0,
    spell: (round, place) => spell(round, place, cached),
  }
}

function spell(round: Round, { first, last }: RoundPlace, cached: boolean): readonly MessageParam[] {
  const said = saidBlocks(round.said)
  const replies: ContentBlockParam[] = [...resultsOf(round).map(resultOf), ...wordsOf(round).map(wordOf)]
  if (replies.length === 0 && round.replies.length > 0) replies.push({ type: 'text', text: '(no content)' })
  if (last && cached && replies.length > 0) replies.push(...replies.splice(-1).map(withMark))
  const items: MessageParam[] = []
  if (first && said.length > 0) items.push({ role: 'user', content: 'Go on.' })
  if (said.length > 0) items.push({ role: 'assistant', content: replies.length > 0 ? said : withoutTail(said) })
  if (replies.length > 0) items.push({ role: 'user', content: replies })
  return items
}

function withMark(block: ContentBlockParam): ContentBlockParam {
  return 'cache_control' in block || block.type === 'text' || block.type === 'tool_result' || block.type === 'image'
    ? { ...block, ...ephemeral }
    : block
}

/** Thinking must not be the last thing said; it is of use only before what it led to. */
function saidBlocks(said: Round['said']): ContentBlockParam[] {
  const blocks = said.flatMap((message) => message.content.flatMap((block) => saidOf(block, goesOut(message))))
  while (blocks.at(-1)?.type === 'thinking' || blocks.at(-1)?.type === 'redacted_thinking') blocks.pop()
  return blocks
}

function saidOf(block: Sent, whole: boolean): readonly ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text }]
    case 'thinking':
      return thinkingOf(block.text, block.opaque)
    case 'tool_use':
      return whole
        ? [{ type: 'tool_use', id: idOf(block.id), name: plainName(block.name), input: argumentsOf(block) }]
        : []
    default:
      return whole && block.vendor === anthropicVendor ? [block.raw as ContentBlockParam] : []
  }
}

/** Only what this vendor signed goes back to it, unchanged. */
function thinkingOf(text: string, opaque: unknown): readonly ContentBlockParam[] {
  if (typeof opaque !== 'object' || opaque === null) return []
  const { vendor, signature, redacted } = opaque as Partial<AnthropicSeal>
  if (vendor !== anthropicVendor) return []
  if (redacted !== undefined) return [{ type: 'redacted_thinking', data: redacted }]
  return signature ? [{ type: 'thinking', thinking: text, signature }] : []
}

function resultOf({ call_id, content, is_error }: ToolResult): ToolResultBlockParam {
  const blocks = sendable(content).map(wordOf)
  return {
    type: 'tool_result',
    tool_use_id: idOf(call_id),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...(is_error ? { is_error, ...(blocks.length === 0 ? { content: 'Failed without a word.' } : {}) } : {}),
  }
}

type Media = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp'

function wordOf(block: TextBlock | ImageBlock) {
  if (block.type === 'text') return { type: 'text' as const, text: block.text }
  const source = { type: 'base64' as const, media_type: block.media_type as Media, data: block.data }
  return { type: 'image' as const, source }
}

/** Other vendors' ids may hold characters that this one refuses. */
function idOf(id: string): string {
  return id.replaceAll(/[^\w-]/g, '_') || '_'
}

/** A request that ends in the model's own words must not end in white space. */
function withoutTail(said: ContentBlockParam[]): ContentBlockParam[] {
  const last = said.at(-1)
  return last?.type === 'text' ? [...said.slice(0, -1), { type: 'text', text: last.text.trimEnd() }] : said
}
