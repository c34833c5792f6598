import type { Usage } from '../../../src/protocol/conversation/message.ts'

/** One answer of a model, to be spoken in a vendor's words. */
export interface Speech {
  readonly text: string
  /** The thinking before it that the vendor shows. */
  readonly thinking?: string
  readonly calls?: readonly SpokenCall[]
  /** The model does not answer, and says why. */
  readonly refusal?: string
  /** It ends where the request allowed no more. */
  readonly cut?: boolean
  /** Tokens that the vendor counts; only Anthropic tells what was in its cache. */
  readonly usage?: Pick<Usage, 'input' | 'output'> & Partial<Usage>
}

interface SpokenCall {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

const little: NonNullable<Speech['usage']> = { input: 5, output: 4 }

export type Api = 'anthropic' | 'chat' | 'responses'

/** Where each API is asked, below the base URL. */
export const pathOf: Readonly<Record<Api, string>> = {
  anthropic: '/v1/messages',
  chat: '/chat/completions',
  responses: '/responses',
}

/** The events of an answer: what is said, and that it is whole. */
interface Tongue {
  said(speech: Speech): readonly unknown[]
  whole(speech: Speech): readonly unknown[]
}

const anthropic: Tongue = {
  said: ({ text, thinking = '', calls = [], usage = little }) => [
    {
      type: 'message_start',
      message: {
        id: 'msg',
        usage: {
          input_tokens: usage.input,
          output_tokens: 1,
          cache_read_input_tokens: usage.cache_read ?? 0,
          cache_creation_input_tokens: usage.cache_write ?? 0,
        },
      },
    },
    ...[
      ...(thinking === '' ? [] : [thinkingBlock(thinking)]),
      ...(text === '' ? [] : [textBlock(text)]),
      ...calls.map(({ id, name, input }) => ({
        block: { type: 'tool_use', id, name, input: {} },
        deltas: pieces(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
      })),
    ].flatMap(({ block, deltas }, index) => [
      { type: 'content_block_start', index, content_block: block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
  ],
  whole: (speech) => [
    { type: 'message_delta', delta: endOf(speech), usage: { output_tokens: (speech.usage ?? little).output } },
    { type: 'message_stop' },
  ],
}

function endOf({ calls = [], refusal, cut = false }: Speech): object {
  if (refusal !== undefined) return { stop_reason: 'refusal', stop_details: { type: 'refusal', explanation: refusal } }
  if (cut) return { stop_reason: 'max_tokens' }
  return { stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn' }
}

function thinkingBlock(thinking: string) {
  return {
    block: { type: 'thinking', thinking: '', signature: '' },
    deltas: [
      ...pieces(thinking).map((piece) => ({ type: 'thinking_delta', thinking: piece })),
      { type: 'signature_delta', signature: 'c2lnbmVk' },
    ],
  }
}

function textBlock(text: string) {
  return {
    block: { type: 'text', text: '' },
    deltas: pieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
  }
}

const chat: Tongue = {
  said: ({ text, calls = [], refusal = '' }) => [
    ...pieces(text).map((content) => ({ choices: [{ delta: { content } }] })),
    ...pieces(refusal).map((piece) => ({ choices: [{ delta: { refusal: piece } }] })),
    ...calls.flatMap(({ id, name, input }, index) =>
      pieces(JSON.stringify(input)).map((args, place) => {
        const begun = place === 0 ? { id, type: 'function' } : {}
        const called = { ...(place === 0 ? { name } : {}), arguments: args }
        return { choices: [{ delta: { tool_calls: [{ index, ...begun, function: called }] } }] }
      }),
    ),
  ],
  whole: ({ calls = [], cut = false, usage = little }) => {
    const whole = calls.length > 0 ? 'tool_calls' : 'stop'
    return [
      { choices: [{ delta: {}, finish_reason: cut ? 'length' : whole }] },
      { choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } },
      '[DONE]',
    ]
  },
}

const responses: Tongue = {
  said: (speech) =>
    itemsOf(speech).flatMap(({ item, heard }, output_index) => [
      { type: 'response.output_item.added', output_index, item: { ...item, content: [] } },
      ...heard.map((delta) => ({ type: saying[item.type] ?? '', output_index, delta })),
      { type: 'response.output_item.done', output_index, item },
    ]),
  whole: (speech) => {
    const { cut = false, usage = little } = speech
    const output = itemsOf(speech).map(({ item }) => item)
    const counted = { output, usage: { input_tokens: usage.input, output_tokens: usage.output } }
    const end = cut
      ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
      : { status: 'completed' }
    return [{ type: `response.${end.status}`, response: { ...end, ...counted } }]
  },
}

const saying: Readonly<Record<string, string>> = {
  message: 'response.output_text.delta',
  reasoning: 'response.reasoning_summary_text.delta',
}

/** What an answer is made of, and what of it is said piece by piece. */
function itemsOf({ text, thinking = '', calls = [], refusal = '' }: Speech) {
  const message = { type: 'message', id: 'm', role: 'assistant' }
  const summary = [{ type: 'summary_text', text: thinking }]
  const thought = { type: 'reasoning', id: 'r', encrypted_content: 'c2VhbGVk', summary }
  return [
    ...(thinking === '' ? [] : [{ item: thought, heard: pieces(thinking) }]),
    ...(text === '' ? [] : [{ item: { ...message, content: [{ type: 'output_text', text }] }, heard: pieces(text) }]),
    ...(refusal === '' ? [] : [{ item: { ...message, content: [{ type: 'refusal', refusal }] }, heard: [] }]),
    ...calls.map(({ id, name, input }) => ({
      item: { type: 'function_call', call_id: id, name, arguments: JSON.stringify(input) },
      heard: [],
    })),
  ]
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,8}/gs) ?? []
}

const tongues: Readonly<Record<Api, Tongue>> = { anthropic, chat, responses }

/** The answer as the bytes of a stream. */
export function streamOf(api: Api, speech: Speech): Buffer {
  return bytesOf([...tongues[api].said(speech), ...tongues[api].whole(speech)])
}

/** The same, but the stream does not come to its end. */
export function openStreamOf(api: Api, speech: Speech): Buffer {
  return bytesOf(tongues[api].said(speech))
}

function bytesOf(events: readonly unknown[]): Buffer {
  const lines = events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  return Buffer.from(lines.join(''))
}

/** How many answers a request already holds: which turn this is. */
export function turnsIn(api: Api, body: Readonly<Record<string, unknown>>): number {
  const items = (body[api === 'responses' ? 'input' : 'messages'] ?? []) as readonly { readonly role?: string }[]
  return items.filter(({ role }) => role === 'assistant').length
}
