import type {
  ContentBlockParam,
  DocumentBlockParam,
  ImageBlockParam,
  MessageParam,
  TextBlockParam,
  TextCitationParam,
  ToolResultBlockParam,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages/messages'
import type {
  AssistantMessage,
  ImageBlock,
  Message,
  TextBlock,
  ToolResult,
} from '../../../protocol/conversation/message.ts'
import type { Dialect, Round, RoundPlace } from '../served/history.ts'
import { argumentsOf, goesOut, resultsOf, inText, sendable, wordsOf, type Word } from '../served/pairing.ts'
import { wireName } from '../served/tool-names.ts'

export const anthropicVendor = 'anthropic'

/** The unseen part of a block of this vendor. */
export interface AnthropicSeal {
  readonly vendor: typeof anthropicVendor
  readonly signature?: string
  readonly redacted?: string
  readonly citations?: readonly unknown[]
  readonly caller?: { readonly tool_id?: string }
}

/** Parts of a request that a server made us leave out. */
export interface AnthropicSpelling {
  /** Documents go as the text in them. */
  readonly unread: boolean
  /** Thinking does not go back: its signatures were refused. */
  readonly thoughtless: boolean
  /** Thinking goes back without a signature, too, and before every call, be it empty. */
  readonly unsigned: boolean
  /** No advisor is offered now: what an earlier one said does not go back either. */
  readonly unadvised: boolean
}

type Sent = AssistantMessage['content'][number]

/** How rounds are spelled for the Messages API: roles alternate, results follow their calls, nothing is empty. */
export function anthropicDialect(spelling: AnthropicSpelling): Dialect {
  return {
    speaks: (message) => saidBlocks([message], spelling).length > 0,
    spell: (round, place) => spell(round, place, spelling),
  }
}

/** Thinking cannot be asked for while calls that were made without it are being answered. */
export function mayThink(messages: readonly Message[]): boolean {
  const blocks = saidBlocks(lastSaid(messages), whole)
  return isThought(blocks[0]) || blocks.every(({ type }) => type !== 'tool_use')
}

const whole: AnthropicSpelling = { unread: false, thoughtless: false, unsigned: false, unadvised: false }

/** Messages of the model since the last message of any other side, in the order of the conversation. */
function lastSaid(messages: readonly Message[]): readonly AssistantMessage[] {
  const said: AssistantMessage[] = []
  for (const message of messages.toReversed()) {
    if (message.role === 'assistant') {
      if (saidBlocks([message], whole).length > 0) said.unshift(message)
    } else if (said.length > 0) break
  }
  return said
}

function spell(round: Round, { first, last }: RoundPlace, spelling: AnthropicSpelling): readonly MessageParam[] {
  const results = resultsOf(round).map(resultOf)
  const words = wordsOf(round)
  const replies: ContentBlockParam[] = [...results, ...(spelling.unread ? inText(words) : words).map(wordOf)]
  if (replies.length === 0 && round.replies.length > 0) replies.push({ type: 'text', text: '(no content)' })
  const isPaused = last && replies.length === 0 && round.said.at(-1)?.stop === 'pause'
  const blocks = saidBlocks(round.said, spelling)
  const said = isPaused ? blocks : answeredOnly(blocks)
  const items: MessageParam[] = []
  if (first && said.length > 0) items.push({ role: 'user', content: 'Go on.' })
  if (said.length > 0) items.push({ role: 'assistant', content: replies.length > 0 ? said : withoutTail(said) })
  if (replies.length > 0) items.push({ role: 'user', content: replies })
  return items
}

/** Thinking must not be the last thing said; it is of use only before what it led to. */
function saidBlocks(said: Round['said'], { thoughtless, unsigned, unadvised }: AnthropicSpelling): ContentBlockParam[] {
  const all = said.flatMap((message) => {
    const blocks = message.content.flatMap((block) => saidOf(block, goesOut(message), unsigned))
    const isBare = unsigned && blocks.some(({ type }) => type === 'tool_use') && !blocks.some(isThought)
    return isBare ? [...thinkingOf(' ', undefined, unsigned), ...blocks] : blocks
  })
  const blocks = unadvised ? all.filter((block) => !isAdvice(block)) : all
  return withoutLastThought(thoughtless ? blocks.filter((block) => !isThought(block)) : blocks)
}

function withoutLastThought(blocks: ContentBlockParam[]): ContentBlockParam[] {
  return blocks.slice(0, blocks.findLastIndex((block) => !isThought(block)) + 1)
}

/** The call of the server's advisor, or what came of it; the types of this API do not know them. */
function isAdvice(block: { readonly type: string; readonly name?: string }): boolean {
  return block.type === 'advisor_tool_result' || (block.type === 'server_tool_use' && block.name === 'advisor')
}

function isThought(block: ContentBlockParam | undefined): boolean {
  return block?.type === 'thinking' || block?.type === 'redacted_thinking'
}

function saidOf(block: Sent, whole: boolean, unsigned: boolean): readonly ContentBlockParam[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [{ type: 'text', text: block.text, ...citedIn(block.opaque) }]
    case 'thinking':
      return thinkingOf(block.text, sealOf(block.opaque), unsigned)
    case 'tool_use':
      return whole ? [callOf(block)] : []
    default:
      return whole && block.vendor === anthropicVendor ? [block.raw as ContentBlockParam] : []
  }
}

function callOf(block: Extract<Sent, { type: 'tool_use' }>): ToolUseBlockParam {
  const caller = sealOf(block.opaque)?.caller as ToolUseBlockParam['caller']
  return {
    type: 'tool_use',
    id: idOf(block.id),
    name: wireName(block.name),
    input: argumentsOf(block),
    ...(caller === undefined ? {} : { caller }),
  }
}

/** Only what this vendor gave goes back to it. */
function sealOf(opaque: unknown): AnthropicSeal | undefined {
  const isSeal =
    typeof opaque === 'object' && opaque !== null && 'vendor' in opaque && opaque.vendor === anthropicVendor
  return isSeal ? (opaque as AnthropicSeal) : undefined
}

function citedIn(opaque: unknown): { readonly citations?: TextCitationParam[] } {
  const citations = sealOf(opaque)?.citations
  return citations === undefined ? {} : { citations: citations as TextCitationParam[] }
}

function thinkingOf(text: string, seal: AnthropicSeal | undefined, unsigned: boolean): readonly ContentBlockParam[] {
  if (seal?.redacted !== undefined) return [{ type: 'redacted_thinking', data: seal.redacted }]
  const signature = seal?.signature ?? ''
  return signature !== '' || unsigned ? [{ type: 'thinking', thinking: text, signature }] : []
}

/**
 * Without the calls of the server's own tools that were never answered: an answer that broke off, or a pause that
 * somebody spoke into. One that made calls of ours is answered after those.
 */
function answeredOnly(blocks: ContentBlockParam[]): ContentBlockParam[] {
  const answered = new Set<unknown>()
  for (const block of blocks) {
    if ('tool_use_id' in block) answered.add(block.tool_use_id)
    if (block.type === 'tool_use' && block.caller && 'tool_id' in block.caller) answered.add(block.caller.tool_id)
  }
  const kept = blocks.filter((block) => !serverCalls.has(block.type) || !('id' in block) || answered.has(block.id))
  const said = kept.length === blocks.length ? blocks : withoutLastThought(kept)
  return said.length === 0 && blocks.length > 0 ? [{ type: 'text', text: '(no answer)' }] : said
}

const serverCalls: ReadonlySet<string> = new Set(['server_tool_use', 'mcp_tool_use'])

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

function wordOf(block: TextBlock | ImageBlock): TextBlockParam | ImageBlockParam
function wordOf(block: Word): TextBlockParam | ImageBlockParam | DocumentBlockParam
function wordOf(block: Word): TextBlockParam | ImageBlockParam | DocumentBlockParam {
  if (block.type === 'text') return { type: 'text' as const, text: block.text }
  if (block.type === 'document') {
    const { media_type, data, name: title } = block
    return { type: 'document', title, source: { type: 'base64', media_type, data } }
  }
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
  return last?.type === 'text' ? [...said.slice(0, -1), { ...last, text: last.text.trimEnd() }] : said
}
