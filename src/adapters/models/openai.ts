import type { OpenAI } from 'openai'
import type { Model, ModelRequest } from '../../protocol/model.ts'
import { chatAnswer } from './chat-answer.ts'
import { chatRequests, chatVendor } from './chat-request.ts'
import { withConcessions } from './concessions.ts'
import { converse } from './converse.ts'
import type { Answer } from './draft.ts'
import { responsesAnswer } from './openai-answer.ts'
import { openAiVendor, responsesRequests } from './openai-request.ts'
import { patience, type ServerOptions } from './server-options.ts'
import { openWire } from './wire.ts'

/** What differs between OpenAI's two APIs. */
interface Api {
  readonly vendor: string
  readonly path: string
  readonly refusals: Readonly<Record<string, RegExp>>
  answer(): Answer
  writer(model: string): (request: ModelRequest, conceded: ReadonlySet<string>) => string
}

/** Models that do not reason refuse to be asked for sealed reasoning. */
const responses: Api = {
  vendor: openAiVendor,
  path: '/responses',
  refusals: { seal: /encrypted[ _]content|'?include'?/i },
  answer: responsesAnswer,
  writer: (model) => {
    const write = responsesRequests(model)
    return (request, conceded) => write(request, !conceded.has('seal'))
  },
}

/** The limit's name changed; old servers know the one, new models the other. */
const chat: Api = {
  vendor: chatVendor,
  path: '/chat/completions',
  refusals: { count: /stream_options|include_usage/i, limit: /max_(completion_)?tokens/i },
  answer: chatAnswer,
  writer: (model) => {
    const write = chatRequests(model)
    return (request, conceded) =>
      write(request, {
        counted: !conceded.has('count'),
        limitField: conceded.has('limit') ? 'max_completion_tokens' : 'max_tokens',
      })
  },
}

/**
 * Opens a model of the Responses API. The SDK is loaded here, not before.
 *
 * @param name `openai/<model>`, as journals name it
 *
 * @example
 * const model = await openResponses('openai/…', { model: '…', apiKey, env: process.env })
 */
export function openResponses(name: string, options: ServerOptions): Promise<Model> {
  return open(name, options, responses)
}

/**
 * Opens a model of the chat completions API: OpenAI's, or any server that imitates it (Ollama, vLLM, llama.cpp …).
 *
 * @example
 * const model = await openChat('openai-compatible/…', { model: '…', apiKey: '', baseURL: 'http://127.0.0.1:11434/v1', env })
 */
export function openChat(name: string, options: ServerOptions): Promise<Model> {
  return open(name, options, chat)
}

/** Ids of the models that a server offers (`/v1/models`), sorted. @throws what the SDK says when it cannot be asked */
export async function offeredModels(options: Omit<ServerOptions, 'model'>): Promise<readonly string[]> {
  const { client } = await connect({ firstByteMs: 10_000, ...options })
  const { data } = await client.models.list()
  return data.map(({ id }) => id).toSorted()
}

async function connect(options: Omit<ServerOptions, 'model'>) {
  const { apiKey, baseURL, env } = options
  const { firstByteMs, idleMs } = { ...patience, ...options }
  const { OpenAI: Client } = await import('openai')
  const wire = openWire(env, idleMs)
  const client: OpenAI = new Client({
    // The SDK insists on a key; a server that needs none is sent this word.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: env['OPENAI_ORG_ID'] ?? null,
    project: env['OPENAI_PROJECT_ID'] ?? null,
    maxRetries: 0,
    timeout: firstByteMs,
    logLevel: 'off',
    fetch: wire.fetch,
    baseURL: baseURL ?? 'https://api.openai.com/v1',
  })
  return { client, wire }
}

async function open(name: string, options: ServerOptions, api: Api): Promise<Model> {
  const { client, wire } = await connect(options)
  const write = api.writer(options.model)
  const ask = withConcessions(api.refusals)
  const send = (request: ModelRequest, conceded: ReadonlySet<string>, signal: AbortSignal): Promise<Response> =>
    client
      .post(api.path, {
        body: write(request, conceded),
        headers: { 'content-type': 'application/json' },
        stream: true,
        signal,
      })
      .asResponse()
  return {
    name,
    stream: (request, signal) =>
      converse(
        {
          name,
          vendor: api.vendor,
          secrets: [options.apiKey],
          answer: api.answer(),
          open: async (aborted) => wire.bodyOf(await ask((conceded) => send(request, conceded, aborted))),
        },
        signal,
      ),
  }
}
