import type { ServerResponse } from 'node:http'
import { modelServer, sendJson, type Asked, type ModelServer } from '../../adapters/models/support/model-server.ts'
import type { Speech } from './speech.ts'

/** A server of local models, as it answers on the wire. */
export interface LocalServer extends ModelServer {
  /** The most requests that it was asked to answer at the same time. */
  readonly busiest: () => number
}

export interface LocalOptions {
  readonly model: string
  readonly window: number
  readonly trained: number
  readonly slots?: number
  /** True for a model, or a start of the server, without calls of tools. */
  readonly toolless?: boolean
  readonly speak: (asked: Asked) => Speech
}

type Chunks = (speech: Speech) => readonly object[]

/** llama-server: `/props` tells of a slot, calls come in pieces, and the last chunk has its own times. */
export function llamaCppServer(options: LocalOptions): Promise<LocalServer> {
  const { model, window, trained, slots = 1, toolless = false } = options
  return serve(options, llamaChunks(model), (asked, response) => {
    const [path] = asked.path.split('?')
    if (path === '/props') {
      sendJson(response, 200, {
        default_generation_settings: { id: 0, id_task: -1, n_ctx: window, speculative: false, is_processing: false },
        total_slots: slots,
        model_path: `/models/${model}.gguf`,
        modalities: { vision: false, audio: false },
        build_info: 'b8681-Debian',
      })
    } else if (path === '/v1/models') {
      const meta = { vocab_type: 2, n_vocab: 152_064, n_ctx_train: trained, n_embd: 3_584 }
      sendJson(response, 200, { object: 'list', data: [{ id: model, object: 'model', owned_by: 'llamacpp', meta }] })
    } else if (toolless && asked.body['tools'] !== undefined) {
      const error = { code: 500, message: 'tools param requires --jinja flag', type: 'server_error' }
      sendJson(response, 500, { error })
    } else return false
    return true
  })
}

/** Ollama: `/api/ps` tells the window of a model once it is loaded, a call comes in one piece. */
export function ollamaServer(options: LocalOptions): Promise<LocalServer> {
  const { model, window, trained, toolless = false } = options
  let isLoaded = false
  return serve(options, ollamaChunks(model), (asked, response) => {
    const { path, body } = asked
    if (path === '/api/show') {
      const capabilities = ['completion', ...(toolless ? [] : ['tools'])]
      const model_info = { 'general.architecture': 'qwen2', 'qwen2.context_length': trained }
      if (body['model'] === model) sendJson(response, 200, { details: { family: 'qwen2' }, model_info, capabilities })
      else sendJson(response, 404, { error: `model '${String(body['model'])}' not found` })
    } else if (path === '/api/ps') {
      const loaded = { name: model, model, size: 6_591_830_464, size_vram: 0, context_length: window }
      sendJson(response, 200, { models: isLoaded ? [loaded] : [] })
    } else if (path === '/api/generate') {
      isLoaded = true
      sendJson(response, 200, { model, response: '', done: true, done_reason: 'load' })
    } else if (toolless && body['tools'] !== undefined) {
      const message = `registry.ollama.ai/library/${model} does not support tools`
      sendJson(response, 400, { error: { message, type: 'api_error', param: null, code: null } })
    } else return false
    return true
  })
}

async function serve(
  { speak }: LocalOptions,
  chunksOf: Chunks,
  tells: (asked: Asked, response: ServerResponse) => boolean,
): Promise<LocalServer> {
  let busy = 0
  let busiest = 0
  const server = await modelServer((asked, response) => {
    if (tells(asked, response)) return
    if (asked.path !== '/v1/chat/completions') {
      sendJson(response, 404, { error: { message: 'File Not Found', type: 'not_found_error', code: 404 } })
      return
    }
    busy += 1
    busiest = Math.max(busiest, busy)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const rest = [...chunksOf(speak(asked)).map((chunk) => JSON.stringify(chunk)), '[DONE]']
    const next = (): void => {
      const chunk = rest.shift()
      if (chunk !== undefined) {
        response.write(`data: ${chunk}\n\n`, () => void setImmediate(next))
        return
      }
      busy -= 1
      response.end()
    }
    next()
  })
  return { ...server, busiest: () => busiest }
}

const pieces = (text: string): readonly string[] => text.match(/.{1,12}/gs) ?? []

function llamaChunks(model: string): Chunks {
  const frame = { created: 1_758_777_189, id: 'chatcmpl-L2v2Gl6NZl443MjXX2LtUNcR6eoUYusk', model }
  const whole = { ...frame, system_fingerprint: 'b8681-703f9e32', object: 'chat.completion.chunk' }
  const said = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ finish_reason, index: 0, delta }],
    ...whole,
  })
  return ({ text, calls = [] }) => [
    said({ role: 'assistant', content: null }),
    ...pieces(text).map((content) => said({ content })),
    ...calls.flatMap(({ id, name, input }, index) =>
      pieces(JSON.stringify(input)).map((args, place) => {
        const begun = place === 0 ? { id, type: 'function', function: { name, arguments: args } } : null
        return said({ tool_calls: [{ index, ...(begun ?? { function: { arguments: args } }) }] })
      }),
    ),
    said({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    {
      choices: [],
      ...whole,
      usage: { completion_tokens: 61, prompt_tokens: 1_350, total_tokens: 1_411 },
      timings: { cache_n: 1_100, prompt_n: 250, prompt_ms: 277.8, predicted_n: 61, predicted_ms: 1_605.3 },
    },
  ]
}

function ollamaChunks(model: string): Chunks {
  const frame = { id: 'chatcmpl-452', object: 'chat.completion.chunk', created: 1_788_016_822, model }
  const whole = { ...frame, system_fingerprint: 'fp_ollama' }
  const said = (delta: object, finish_reason: string | null = null) => ({
    ...whole,
    choices: [{ index: 0, delta: { role: 'assistant', content: '', ...delta }, finish_reason }],
  })
  return ({ text, calls = [] }) => [
    ...pieces(text).map((content) => said({ content })),
    ...calls.map(({ id, name, input }, index) =>
      said({ tool_calls: [{ id, index, type: 'function', function: { name, arguments: JSON.stringify(input) } }] }),
    ),
    said({}, calls.length > 0 ? 'tool_calls' : 'stop'),
    { ...whole, choices: [], usage: { prompt_tokens: 1_350, completion_tokens: 61, total_tokens: 1_411 } },
  ]
}
