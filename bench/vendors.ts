/* Both vendors' streams, as a loopback server of a bench sends them: the same answer over either wire. */

/** A tool call whose arguments come in these pieces of JSON. */
export interface SentCall {
  readonly id: string
  readonly name: string
  readonly input: readonly string[]
}

/** Words in pieces, or calls. */
export type Answer = { readonly said: readonly string[] } | { readonly calls: readonly SentCall[] }

/** The events of an answer, as the path of the request wants them: Anthropic Messages, or OpenAI chat completions. */
export function eventsOf(path: string, answer: Answer): readonly string[] {
  return path.includes('messages') ? asMessages(answer) : asChat(answer)
}

function asMessages(answer: Answer): readonly string[] {
  const blocks =
    'said' in answer
      ? [
          {
            content_block: { type: 'text', text: '', citations: null },
            deltas: answer.said.map((text): object => ({ type: 'text_delta', text })),
          },
        ]
      : answer.calls.map(({ id, name, input }) => ({
          content_block: { type: 'tool_use', id, name, input: {} },
          deltas: input.map((partial_json): object => ({ type: 'input_json_delta', partial_json })),
        }))
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  const ending = { stop_reason: 'said' in answer ? 'end_turn' : 'tool_use', stop_sequence: null }
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(({ content_block, deltas }, index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: ending, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
}

function asChat(answer: Answer): readonly string[] {
  const deltas =
    'said' in answer
      ? answer.said.map((content): object => ({ role: 'assistant', content }))
      : answer.calls.flatMap(({ id, name, input }, index) =>
          input.map((piece, n): object => {
            const part =
              n === 0
                ? { id, type: 'function', function: { name, arguments: piece } }
                : { function: { arguments: piece } }
            return { tool_calls: [{ index, ...part }] }
          }),
        )
  const base = { id: 'chatcmpl', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunks = [
    ...deltas.map((delta) => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: 'said' in answer ? 'stop' : 'tool_calls' }] },
    { ...base, choices: [], usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } },
  ]
  return [...chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), 'data: [DONE]\n\n']
}
