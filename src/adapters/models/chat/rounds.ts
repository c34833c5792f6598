import { createHash } from 'node:crypto'
import type { ChatCompletionContentPart, ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import {
  callsOf,
  textOf,
  type ImageBlock,
  type TextBlock,
  type ToolResult,
  type ToolUseBlock,
} from '../../../protocol/conversation/message.ts'
import type { Dialect, Round } from '../served/history.ts'
import { argumentsOf, goesOut, resultsOf, sendable, inText, wordsOf, type Word } from '../served/pairing.ts'
import { wireName } from '../served/tool-names.ts'
import { toldCall, toldResult } from './told-tools.ts'

export const chatVendor = 'chat'

/** Which field a thinking block came in: servers that want it back want it in the same one. */
export interface ChatSeal {
  readonly vendor: typeof chatVendor
  readonly field: 'reasoning_content' | 'reasoning' | 'reasoning_text' | 'thinking' | 'reasoning_details'
  readonly details?: readonly unknown[]
}

/** Fields that go back with a call as they came. */
export interface ChatCallSeal {
  readonly vendor: typeof chatVendor
  readonly extra_content: unknown
}

/** Parts of a request that a server made us spell otherwise. */
export interface ChatSpelling {
  /** Ids of calls have nine letters and digits. */
  readonly brief: boolean
  /** Between results and the words after them, the model says something. */
  readonly bridged: boolean
  /** Calls without a word have an empty one. */
  readonly filled: boolean
  /** Every answer says what was thought, be it nothing. */
  readonly thoughtful: boolean
  /** No answer says what was thought. */
  readonly thoughtless: boolean
  /** Calls that came without Gemini's signature are marked as such. */
  readonly signed: boolean
  /** True when the fields that came with a call do not go back. */
  readonly unsealed: boolean
  /** Words and results stand in parts, so that a mark can stand on the last one. */
  readonly parted: boolean
  /** Calls and results stand in the text: the server knows no tools. */
  readonly told: boolean
  /** Documents go as the text in them. */
  readonly unread: boolean
}

/** How rounds are spelled for the chat completions API: results follow their calls directly, as text. */
export function chatDialect(spelling: ChatSpelling): Dialect {
  return {
    speaks: (message) => textOf(message).trim() !== '' || (goesOut(message) && callsOf(message).length > 0),
    spell: (round, { first, last }) => {
      const results = resultsOf(round)
      const said = wordsOf(round)
      const heard = [...results.flatMap(imagesIn), ...(spelling.unread ? inText(said) : said)]
      const isEmpty = first && last && heard.length === 0 && round.said.length === 0
      const words = isEmpty ? [{ type: 'text' as const, text: '(no content)' }] : heard
      if (spelling.told) return toldRound(round, words, spelling)
      const isBridged = spelling.bridged && results.length > 0 && words.length > 0
      return [
        ...saidOf(round.said, spelling),
        ...results.map((result) => resultOf(result, spelling)),
        ...(isBridged ? [{ role: 'assistant', content: 'I have read the results.' }] : []),
        ...(words.length === 0 ? [] : [{ role: 'user', content: contentOf(words, spelling.parted) }]),
      ]
    },
  }
}

/** A round without anything but texts, in which the roles alternate. */
function toldRound(
  round: Round,
  words: readonly Word[],
  { parted }: ChatSpelling,
): readonly ChatCompletionMessageParam[] {
  const calls = round.said.flatMap((message) => (goesOut(message) ? callsOf(message) : []))
  const said = [...round.said.map((message) => textOf(message)), ...calls.map(toldCall)]
  const results = resultsOf(round).map(({ tool, content }): TextBlock => ({
    type: 'text',
    text: toldResult(tool, wordsIn(content)),
  }))
  const heard = [...results, ...words]
  const text = said.filter((each) => each.trim() !== '').join('\n')
  return [
    ...(text === '' ? [] : [{ role: 'assistant' as const, content: text }]),
    ...(heard.length === 0 ? [] : [{ role: 'user' as const, content: contentOf(heard, parted) }]),
  ]
}

/** The model's words between two replies as one message: results must follow their calls directly. */
function saidOf(said: Round['said'], spelling: ChatSpelling): readonly ChatCompletionMessageParam[] {
  if (said.length === 0) return []
  const text = said.map((message) => textOf(message)).join('')
  const calls = said.flatMap((message) => (goesOut(message) ? callsOf(message) : []))
  if (calls.length === 0) return [{ role: 'assistant', content: text, ...(spelling.thoughtful ? thoughtOf(said) : {}) }]
  const signatures = signaturesOf(calls, spelling)
  const tool_calls = calls.map((call, index) => ({
    id: idOf(call.id, spelling),
    type: 'function' as const,
    function: { name: wireName(call.name), arguments: JSON.stringify(argumentsOf(call)) },
    ...signatures[index],
  }))
  const content = text.trim() === '' ? nothingSaid(spelling) : text
  return [{ role: 'assistant', content, tool_calls, ...reasoningOf(said, spelling) }]
}

function nothingSaid({ filled }: ChatSpelling): string | null {
  return filled ? '' : null
}

/** Gemini's word for a call that another model made: https://ai.google.dev/gemini-api/docs/thought-signatures */
const foreignCall = { google: { thought_signature: 'skip_thought_signature_validator' } }

function signaturesOf(calls: readonly ToolUseBlock[], { signed, unsealed }: ChatSpelling): readonly object[] {
  const seals = calls.map(({ opaque }) => {
    const seal = opaque as Partial<ChatCallSeal> | undefined
    return seal?.vendor === chatVendor && !unsealed ? { extra_content: seal.extra_content } : {}
  })
  const isBare = seals.every((seal) => !('extra_content' in seal))
  return signed && isBare ? [{ extra_content: foreignCall }] : seals
}

/** Thinking goes back with the calls it led to, in the field it came in. */
function reasoningOf(
  said: Round['said'],
  { thoughtful, thoughtless }: ChatSpelling,
): Readonly<Record<string, unknown>> {
  if (thoughtful) return thoughtOf(said)
  const fields: Record<string, unknown> = {}
  const texts: Partial<Record<ChatSeal['field'], string>> = {}
  for (const block of thoughtless ? [] : said.flatMap((message) => message.content)) {
    const seal = block.type === 'thinking' ? (block.opaque as Partial<ChatSeal> | undefined) : undefined
    if (block.type !== 'thinking' || seal?.vendor !== chatVendor || seal.field === undefined) continue
    fields[seal.field] = seal.details ?? (texts[seal.field] = (texts[seal.field] ?? '') + block.text)
  }
  return fields
}

/** The thinking in a round, of whichever model; an empty text counts as missing. */
function thoughtOf(said: Round['said']): { readonly reasoning_content: string } {
  const thoughts = said.flatMap(({ content }) => content.map((block) => (block.type === 'thinking' ? block.text : '')))
  return { reasoning_content: thoughts.join('') || ' ' }
}

function resultOf({ call_id, content }: ToolResult, spelling: ChatSpelling): ChatCompletionMessageParam {
  const text = wordsIn(content)
  const parts = spelling.parted && text !== '' ? [{ type: 'text' as const, text }] : text
  return { role: 'tool', tool_call_id: idOf(call_id, spelling), content: parts }
}

function wordsIn(content: ToolResult['content']): string {
  const texts = sendable(content).map((part) => (part.type === 'text' ? part.text : '[an image; see below]'))
  return texts.join('\n')
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

function contentOf(words: readonly Word[], parted: boolean): string | ChatCompletionContentPart[] {
  const [only] = words
  if (!parted && words.length === 1 && only?.type === 'text') return only.text
  return words.map((block) => {
    if (block.type === 'text') return { type: 'text', text: block.text }
    const data = `data:${block.media_type};base64,${block.data}`
    if (block.type === 'document') return { type: 'file', file: { filename: block.name, file_data: data } }
    return { type: 'image_url', image_url: { url: data } }
  })
}
