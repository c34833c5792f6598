/** One answer of a model, to be spoken in a vendor's words. */
export interface Speech {
  readonly text: string
  readonly call?: { readonly id: string; readonly name: string; readonly input: unknown }
  /** Tokens that the vendor counts. */
  readonly usage?: { readonly input: number; readonly output: number }
}

const little = { input: 5, output: 4 }

export type Api = 'anthropic' | 'chat' | 'responses'

/** Where each API is asked, below the base URL. */
export const pathOf: Readonly<Record<Api, string>> = {
  anthropic: '/v1/messages',
  chat: '/chat/completions',
  responses: '/responses',
}

const words: Readonly<Record<Api, (speech: Speech) => readonly unknown[]>> = {
  anthropic: ({ text, call, usage = little }) => [
    { type: 'message_start', message: { id: 'msg', usage: { input_tokens: usage.input, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    ...pieces(text).map((piece) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: piece },
    })),
    { type: 'content_block_stop', index: 0 },
    ...(call === undefined
      ? []
      : [
          {
            type: 'content_block_start',
            index: 1,
            content_block: { type: 'tool_use', id: call.id, name: call.name, input: {} },
          },
          ...pieces(JSON.stringify(call.input)).map((piece) => ({
            type: 'content_block_delta',
            index: 1,
            delta: { type: 'input_json_delta', partial_json: piece },
          })),
          { type: 'content_block_stop', index: 1 },
        ]),
    {
      type: 'message_delta',
      delta: { stop_reason: call ? 'tool_use' : 'end_turn' },
      usage: { output_tokens: usage.output },
    },
    { type: 'message_stop' },
  ],
  chat: ({ text, call, usage = little }) => [
    ...pieces(text).map((content) => ({ choices: [{ delta: { content } }] })),
    ...(call === undefined
      ? []
      : pieces(JSON.stringify(call.input)).map((piece, place) => ({
          choices: [
            {
              delta: {
                tool_calls: [
                  {
                    index: 0,
                    ...(place === 0 ? { id: call.id } : {}),
                    function: { ...(place === 0 ? { name: call.name } : {}), arguments: piece },
                  },
                ],
              },
            },
          ],
        }))),
    { choices: [{ delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }] },
    { choices: [], usage: { prompt_tokens: usage.input, completion_tokens: usage.output } },
    '[DONE]',
  ],
  responses: ({ text, call, usage = little }) => {
    const message = { type: 'message', id: 'm', role: 'assistant', content: [{ type: 'output_text', text }] }
    const called = call && {
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: JSON.stringify(call.input),
    }
    const output = called ? [message, called] : [message]
    return [
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      ...pieces(text).map((delta) => ({ type: 'response.output_text.delta', output_index: 0, delta })),
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
      {
        type: 'response.completed',
        response: {
          status: 'completed',
          output,
          usage: { input_tokens: usage.input, output_tokens: usage.output },
        },
      },
    ]
  },
}

function pieces(text: string): readonly string[] {
  return text.match(/.{1,8}/gs) ?? ['']
}

/** The answer as the bytes of a stream. */
export function streamOf(api: Api, speech: Speech): Buffer {
  const events = words[api](speech).map(
    (event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`,
  )
  return Buffer.from(events.join(''))
}

/** How many answers a request already holds: which turn this is. */
export function turnsIn(api: Api, body: Readonly<Record<string, unknown>>): number {
  const items = (body[api === 'responses' ? 'input' : 'messages'] ?? []) as readonly { readonly role?: string }[]
  return items.filter(({ role }) => role === 'assistant').length
}
