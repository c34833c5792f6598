import fc from 'fast-check'
import { cut, input, mixed, order, size, token, words, type Event } from './valid-streams.ts'

/** Answers of the Responses API as its reference says that they are streamed: items begin in order and grow together. */

interface Item {
  readonly begin: Event
  readonly grows: readonly Event[]
  readonly done: Event
}

const event = (type: string, more: object = {}): Event => ({ type: `response.${type}`, ...more })

const message = fc.tuple(words, token, size, fc.boolean()).map(([text, id, at, cited]): Item => {
  const place = { item_id: id, content_index: 0 }
  const annotations = cited
    ? [{ type: 'url_citation', start_index: 0, end_index: 1, title: 't', url: 'https://x' }]
    : []
  const part = { type: 'output_text', text, annotations }
  return {
    begin: { type: 'message', id, status: 'in_progress', role: 'assistant', content: [] },
    grows: [
      event('content_part.added', { ...place, part: { ...part, text: '', annotations: [] } }),
      ...cut(text, at).map((delta) => event('output_text.delta', { ...place, delta, logprobs: [] })),
      ...annotations.map((annotation, annotation_index) =>
        event('output_text.annotation.added', { ...place, annotation_index, annotation }),
      ),
      event('output_text.done', { ...place, text, logprobs: [] }),
      event('content_part.done', { ...place, part }),
    ],
    done: { type: 'message', id, status: 'completed', role: 'assistant', content: [part] },
  }
})

const reasoning = fc.tuple(fc.array(words, { maxLength: 2 }), token, size).map(([texts, id, at]): Item => {
  const item = { type: 'reasoning', id, encrypted_content: 'sealed' }
  return {
    begin: { ...item, summary: [] },
    grows: texts.flatMap((text, summary_index) => {
      const place = { item_id: id, summary_index }
      return [
        event('reasoning_summary_part.added', { ...place, part: { type: 'summary_text', text: '' } }),
        ...cut(text, at).map((delta) => event('reasoning_summary_text.delta', { ...place, delta })),
        event('reasoning_summary_text.done', { ...place, text }),
        event('reasoning_summary_part.done', { ...place, part: { type: 'summary_text', text } }),
      ]
    }),
    done: { ...item, summary: texts.map((text) => ({ type: 'summary_text', text })) },
  }
})

/** What a model writes piece by piece into one field of an item. */
const written = (type: string, field: string, name: string, more: object): fc.Arbitrary<Item> =>
  fc.tuple(input, fc.uuid(), size).map(([given, id, at]) => {
    const text = JSON.stringify(given)
    const item = { type, id: `i${id}`, call_id: id, ...more }
    return {
      begin: { ...item, [field]: '', status: 'in_progress' },
      grows: [
        ...cut(text, at).map((delta) => event(`${name}.delta`, { item_id: item.id, delta })),
        event(`${name}.done`, { item_id: item.id, [field]: text, name: 'Read' }),
      ],
      done: { ...item, [field]: text, status: 'completed' },
    }
  })

/** What the server does by itself and tells the steps of. */
const done = (type: string, steps: readonly string[], more: object): fc.Arbitrary<Item> =>
  token.map((id) => ({
    begin: { type, id, status: 'in_progress', ...more },
    grows: steps.map((step) => event(`${type}.${step}`, { item_id: id })),
    done: { type, id, status: 'completed', ...more },
  }))

const item = fc.oneof(
  message,
  reasoning,
  written('function_call', 'arguments', 'function_call_arguments', { name: 'Read' }),
  written('mcp_call', 'arguments', 'mcp_call_arguments', { name: 'echo', server_label: 's' }),
  written('custom_tool_call', 'input', 'custom_tool_call_input', { name: 'sh' }),
  written('code_interpreter_call', 'code', 'code_interpreter_call_code', { container_id: 'c', outputs: null }),
  done('web_search_call', ['in_progress', 'searching', 'completed'], { action: { type: 'search', query: 'q' } }),
  done('file_search_call', ['in_progress', 'searching', 'completed'], { queries: [], results: null }),
  done('image_generation_call', ['in_progress', 'generating', 'completed'], { result: 'UE5H' }),
  done('mcp_list_tools', ['in_progress', 'completed'], { server_label: 's', tools: [] }),
  done('compaction', [], { encrypted_content: 'sealed' }),
)

const identity = ({ begin }: Item): unknown => begin['id']

export const responsesStream = fc
  .record({
    items: fc.uniqueArray(item, { maxLength: 6, selector: identity }),
    order,
    counts: fc.tuple(fc.nat(999), fc.nat(999), fc.nat(99), fc.nat(99)),
    isWhole: fc.boolean(),
  })
  .map(({ items, order: turns, counts: [given, output_tokens, cached_tokens, reasoning_tokens], isWhole }) => {
    const base = { id: 'resp', object: 'response', created_at: 1, model: 'm', error: null, tools: [], metadata: null }
    const begun = { ...base, status: 'in_progress', output: [], usage: null, incomplete_details: null }
    const reply = {
      ...base,
      status: isWhole ? 'completed' : 'incomplete',
      incomplete_details: isWhole ? null : { reason: 'max_output_tokens' },
      output: items.map(({ done: whole }) => whole),
      usage: {
        input_tokens: given + cached_tokens,
        input_tokens_details: { cached_tokens },
        output_tokens,
        output_tokens_details: { reasoning_tokens },
        total_tokens: given + cached_tokens + output_tokens,
      },
    }
    const grown = items.map(({ grows, done: whole }, output_index) =>
      [...grows, event('output_item.done', { item: whole })].map((one) => ({ ...one, output_index })),
    )
    return [
      event('created', { response: begun }),
      event('in_progress', { response: begun }),
      ...items.map(({ begin }, output_index) => event('output_item.added', { output_index, item: begin })),
      ...mixed(grown, turns),
      event(isWhole ? 'completed' : 'incomplete', { response: reply }),
    ].map((one, sequence_number): Event => ({ ...one, sequence_number }))
  })
