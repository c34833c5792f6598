import { createHash } from 'node:crypto'
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import {
  callsOf,
  textOf,
  type ImageBlock,
  type Message,
  type TextBlock,
  type ToolResult,
} from '../../protocol/message.ts'
import type { ModelRequest, OutputShape } from '../../protocol/model.ts'
import type { ToolSpec } from '../../protocol/tool.ts'
import { flatSchema } from './flat-schema.ts'
import { historyWriter, wellFormed, type Dialect, type Round } from './history.ts'
import { effortOf, forcedTool } from './openai-settings.ts'
import { argumentsOf, goesOut, resultsOf, sendable, wordsOf } from './pairing.ts'
import { wireName } from './tool-names.ts'

export const chatVendor = 'chat'

/** Which field a thinking block came in: servers that want it back want it in the same one. */
export interface ChatSeal {
  readonly vendor: typeof chatVendor
  readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_text' | 'thinking' | 'reasoning_details'
  readonly details?: readonly unknown[]
}

/** What goes back with a call as it came. */
export interface ChatCallSeal {
  readonly vendor: typeof chatVendor
  readonly extra_content: unknown
}

/** What servers that imitate this API may not know; named as `chatRefusals` knows them. */
export type ChatFeature = 'count' | 'ids' | 'images' | 'xhigh' | 'effort' | 'format' | 'limit'

/** What a refusal of each feature reads like. The limit's name changed: old servers know the one, new models the other. */
export const chatRefusals: Readonly<Record<ChatFeature, RegExp>> = {
  count: /stream_options|include_usage/i,
  // Mistral takes ids of nine letters and digits, which those of another model that answered before are not.
  ids: /tool call id/i,
  images: /image|multimodal|vision|content.*(must be|should be|valid).*string/i,
  xhigh: /xhigh/i,
  effort: /reasoning|effort/i,
  format: /response_format|json_schema/i,
  limit:
    /(unsupported|unknown|unrecogni[sz]ed|unexpected).*max_(completion_)?tokens|max_(completion_)?tokens\W.*(not supported|not permitted|unsupported)/i,
}

type Conceded = ReadonlySet<ChatFeature>

/**
 * Writes requests of the chat completions API as text, for OpenAI and everyone who imitates it.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatRequests(model: string): (request: ModelRequest, conceded: Conceded) => string {
  const write = writersBySpelling()
  const toolTexts = new WeakMap<readonly ToolSpec[], string>()
  return (request, conceded) => {
    const { system, messages, tools } = request
    const toolText = toolTexts.get(tools) ?? tools.map((tool) => wellFormed(toolOf(tool))).join(',')
    toolTexts.set(tools, toolText)
    const forced = conceded.has('format') ? forcedTool(request) : undefined
    const head = wellFormed({ model, stream: true, ...askedFor(request, conceded) }).slice(0, -1)
    const told = system.trim() === '' ? '' : wellFormed({ role: 'system', content: system })
    const items = [told, write(messages, conceded)].filter((text) => text !== '').join(',')
    const all = [toolText, forced ? wellFormed(toolOf(forced)) : ''].filter((text) => text !== '').join(',')
    return `${head}${all === '' ? '' : `,"tools":[${all}]`},"messages":[${items}]}`
  }
}

function writersBySpelling(): (messages: readonly Message[], conceded: Conceded) => string {
  const writers = new Map<string, ReturnType<typeof historyWriter>>()
  return (messages, conceded) => {
    const spelling = { blind: conceded.has('images'), brief: conceded.has('ids') }
    const key = Object.values(spelling).join()
    const writer = writers.get(key) ?? historyWriter(dialectOf(spelling))
    writers.set(key, writer)
    return writer(messages)
  }
}

function askedFor(request: ModelRequest, conceded: Conceded): object {
  const { max_tokens, output } = request
  const effort = conceded.has('effort') ? undefined : effortOf(request, conceded.has('xhigh'))
  return {
    ...(conceded.has('count') ? {} : { stream_options: { include_usage: true } }),
    ...(max_tokens === undefined
      ? {}
      : { [conceded.has('limit') ? 'max_completion_tokens' : 'max_tokens']: max_tokens }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
    ...(output === undefined ? {} : formOf(output, conceded.has('format'))),
  }
}

function formOf({ name, schema }: OutputShape, forced: boolean): object {
  if (forced) return { tool_choice: { type: 'function', function: { name } } }
  return { response_format: { type: 'json_schema', json_schema: { name, schema: flatSchema(schema), strict: false } } }
}

function toolOf({ name, description, parameters }: ToolSpec): unknown {
  return { type: 'function', function: { name: wireName(name), description, parameters: flatSchema(parameters) } }
}

/** What a server made us spell otherwise. */
interface ChatSpelling {
  readonly blind: boolean
  /** Ids of calls have nine letters and digits. */
  readonly brief: boolean
}

function dialectOf(spelling: ChatSpelling): Dialect {
  const { blind } = spelling
  return {
    speaks: (message) => textOf(message).trim() !== '' || (goesOut(message) && callsOf(message).length > 0),
    spell: (round, { first, last }) => {
      const results = resultsOf(round)
      const heard = [...(blind ? [] : results.flatMap(imagesIn)), ...wordsOf(round, blind)]
      const isEmpty = first && last && heard.length === 0 && round.said.length === 0
      const words = isEmpty ? [{ type: 'text' as const, text: '(no content)' }] : heard
      return [
        ...saidOf(round.said, spelling),
        ...results.map((result) => resultOf(result, spelling)),
        ...(words.length === 0 ? [] : [{ role: 'user', content: contentOf(words) }]),
      ]
    },
  }
}

/** What the model said between two replies is one message: results must follow their calls directly. */
function saidOf(said: Round['said'], spelling: ChatSpelling): readonly ChatCompletionMessageParam[] {
  if (said.length === 0) return []
  const text = said.map((message) => textOf(message)).join('')
  const calls = said.flatMap((message) => (goesOut(message) ? callsOf(message) : []))
  if (calls.length === 0) return [{ role: 'assistant', content: text }]
  const tool_calls = calls.map((call) => ({
    id: idOf(call.id, spelling),
    type: 'function' as const,
    function: { name: wireName(call.name), arguments: JSON.stringify(argumentsOf(call)) },
    ...signatureOf(call.opaque),
  }))
  const content = text.trim() === '' ? null : text
  return [{ role: 'assistant', content, tool_calls, ...reasoningOf(said) }]
}

function signatureOf(opaque: unknown): { readonly extra_content?: unknown } {
  const seal = opaque as Partial<ChatCallSeal> | undefined
  return seal?.vendor === chatVendor ? { extra_content: seal.extra_content } : {}
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

function resultOf({ call_id, content }: ToolResult, spelling: ChatSpelling): ChatCompletionMessageParam {
  const texts = sendable(content, spelling.blind).map((part) =>
    part.type === 'text' ? part.text : '[an image; see below]',
  )
  return { role: 'tool', tool_call_id: idOf(call_id, spelling), content: texts.join('\n') }
}

function idOf(id: string, { brief }: ChatSpelling): string {
  if (!brief || /^[a-zA-Z0-9]{9}$/.test(id)) return id
  return createHash('sha256').update(id).digest('hex').slice(0, 9)
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
