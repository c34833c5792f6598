import { createHash } from 'node:crypto'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import type { AssistantMessage, ToolResult } from '../../../protocol/conversation/message.ts'
import type { Dialect, Round } from '../served/history.ts'
import { argumentsOf, goesOut, resultsOf, inText, sendable, wordsOf, type Word } from '../served/pairing.ts'
import { wireName } from '../served/tool-names.ts'

export const openAiVendor = 'openai'

/** The unseen part of a block of this vendor: the item as it came. */
export interface OpenAiSeal {
  readonly vendor: typeof openAiVendor
  readonly item: Readonly<Record<string, unknown>>
}

type Sent = AssistantMessage['content'][number]

/** Parts of a request that a server made us leave out. */
interface ResponsesSpelling {
  /** Documents go as the text in them. */
  readonly unread: boolean
  /** Reasoning does not go back: it could not be opened. */
  readonly unsealed: boolean
}

/** How rounds are spelled for the Responses API: each call has one output, reasoning leads somewhere. */
export function responsesDialect(spelling: ResponsesSpelling): Dialect {
  return {
    speaks: (message) => saidItems([message], spelling).length > 0,
    spell: (round, { first, last }) => {
      const said = wordsOf(round)
      const heard = (spelling.unread ? inText(said) : said).map(wordOf)
      const isEmpty = first && last && heard.length === 0 && round.said.length === 0
      const words = isEmpty ? [wordOf({ type: 'text', text: '(no content)' })] : heard
      const callers = callersIn(round)
      return [
        ...saidItems(round.said, spelling),
        ...resultsOf(round).map((result) => ({ ...resultOf(result), ...callers.get(result.call_id) })),
        ...(words.length === 0 ? [] : [{ role: 'user' as const, content: words }]),
      ]
    },
  }
}

/** Reasoning is taken back only before what it led to. */
function saidItems(said: Round['said'], { unsealed }: ResponsesSpelling): readonly ResponseInputItem[] {
  return said.flatMap((message) => {
    const all = message.content.flatMap((block) => itemsOf(block, goesOut(message)))
    const items = answeredOnly(unsealed ? all.filter(({ type }) => type !== 'reasoning') : all)
    while (items.at(-1)?.type === 'reasoning') items.pop()
    return items
  })
}

function itemsOf(block: Sent, whole: boolean): readonly ResponseInputItem[] {
  switch (block.type) {
    case 'text':
      return block.text.trim() === '' ? [] : [messageOf(block.text, sealedItem(block.opaque))]
    case 'thinking':
      return whole ? reasoningOf(sealedItem(block.opaque)) : []
    case 'tool_use':
      return whole ? [callOf(block)] : []
    default:
      return whole && block.vendor === openAiVendor ? [takenBack(block.raw as OpenAiSeal['item'])] : []
  }
}

/** Calls of tools that are not ours. Where the server did not answer one itself, nobody will. */
const otherCalls: ReadonlySet<ResponseInputItem['type']> = new Set([
  'custom_tool_call',
  'computer_call',
  'local_shell_call',
  'shell_call',
  'apply_patch_call',
])

function answeredOnly(items: ResponseInputItem[]): ResponseInputItem[] {
  const answered = new Set(items.flatMap((item) => (item.type?.endsWith('_output') ? [idIn(item)] : [])))
  const waits = (item: ResponseInputItem): boolean =>
    otherCalls.has(item.type) || (item.type === 'tool_search_call' && item.execution === 'client')
  return items.filter((item) => !waits(item) || answered.has(idIn(item)))
}

function idIn(item: ResponseInputItem): unknown {
  return 'call_id' in item ? item.call_id : undefined
}

/** A message with further fields of the vendor goes back as it came. */
function messageOf(text: string, item: OpenAiSeal['item'] | undefined): ResponseInputItem {
  return item?.['type'] === 'message' ? takenBack(item) : { type: 'message', role: 'assistant', content: text }
}

function callOf(block: Extract<Sent, { type: 'tool_use' }>): ResponseInputItem {
  const { id, name } = block
  return {
    type: 'function_call',
    call_id: idOf(id),
    name: wireName(name),
    arguments: JSON.stringify(argumentsOf(block)),
    ...pick(sealedItem(block.opaque), ['caller', 'namespace']),
  }
}

/** An item that is not sealed stands for something stored, and nothing is. */
function reasoningOf(item: OpenAiSeal['item'] | undefined): readonly ResponseInputItem[] {
  return typeof item?.['encrypted_content'] === 'string' ? [takenBack(item)] : []
}

const longestId = 64

/** Servers give more than they take: ids that are too long, and a state of reasoning. */
function takenBack(item: OpenAiSeal['item']): ResponseInputItem {
  const { id, status, ...rest } = item
  return {
    ...rest,
    ...(typeof id === 'string' && id.length <= longestId ? { id } : {}),
    ...(status === undefined || status === null || item['type'] === 'reasoning' ? {} : { status }),
  } as unknown as ResponseInputItem
}

/** The hash is exactly as long as an id may be. */
function idOf(id: string): string {
  return id.length <= longestId ? id : createHash('sha256').update(id).digest('hex')
}

/** Only what this vendor gave goes back to it. */
function sealedItem(opaque: unknown): OpenAiSeal['item'] | undefined {
  const isSeal = typeof opaque === 'object' && opaque !== null && 'vendor' in opaque && opaque.vendor === openAiVendor
  return isSeal ? (opaque as OpenAiSeal).item : undefined
}

/** An output names the program that its call came from. */
function callersIn({ said }: Round): ReadonlyMap<string, object> {
  const callers = new Map<string, object>()
  for (const block of said.flatMap((message) => message.content)) {
    const caller = block.type === 'tool_use' ? pick(sealedItem(block.opaque), ['caller']) : {}
    if (block.type === 'tool_use' && 'caller' in caller) callers.set(block.id, caller)
  }
  return callers
}

function pick(item: OpenAiSeal['item'] | undefined, keys: readonly string[]): Readonly<Record<string, unknown>> {
  return Object.fromEntries(keys.flatMap((key) => (item?.[key] ? [[key, item[key]] as const] : [])))
}

function resultOf({ call_id, content }: ToolResult): ResponseInputItem {
  const parts = sendable(content)
  const isText = parts.every((part) => part.type === 'text')
  return {
    type: 'function_call_output',
    call_id: idOf(call_id),
    output: isText ? parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') : parts.map(wordOf),
  }
}

function wordOf(block: Word) {
  if (block.type === 'text') return { type: 'input_text' as const, text: block.text }
  if (block.type === 'document') {
    const file_data = `data:${block.media_type};base64,${block.data}`
    return { type: 'input_file' as const, filename: block.name, file_data }
  }
  return {
    type: 'input_image' as const,
    detail: 'auto' as const,
    image_url: `data:${block.media_type};base64,${block.data}`,
  }
}
