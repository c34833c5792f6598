import type { OpenAI } from 'openai'
import type { Model } from '../../../protocol/models/model.ts'
import { chatAnswer } from '../chat/answer.ts'
import { chatRefusals, chatRequests, type ChatFeature } from '../chat/request.ts'
import { chatVendor } from '../chat/rounds.ts'
import { responsesAnswer } from './answer.ts'
import { responsesRefusals, responsesRequests, type ResponsesFeature } from './request.ts'
import { openAiVendor } from './rounds.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import { waitsOf, type ServerOptions } from '../served/server-options.ts'
import { openWire } from '../http/wire.ts'

const responses: Api<ResponsesFeature> = {
  vendor: openAiVendor,
  path: '/responses',
  refusals: responsesRefusals,
  answer: responsesAnswer,
  writer: responsesRequests,
}

const chat: Api<ChatFeature> = {
  vendor: chatVendor,
  path: '/chat/completions',
  refusals: chatRefusals,
  answer: chatAnswer,
  writer: chatRequests,
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
  const waits = waitsOf(options)
  const { OpenAI: Client } = await import('openai')
  const wire = openWire(env, waits)
  const client: OpenAI = new Client({
    // The SDK insists on a key; a server that needs none is sent this word.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: env['OPENAI_ORG_ID'] ?? null,
    project: env['OPENAI_PROJECT_ID'] ?? null,
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    fetch: wire.fetch,
    baseURL: baseURL ?? 'https://api.openai.com/v1',
  })
  return { client, wire }
}

async function open<Feature extends string>(name: string, options: ServerOptions, api: Api<Feature>): Promise<Model> {
  const { model, readKey, keyName } = options
  return servedModel(api, { name, model, readKey, keyName, ...(await connect(options)) })
}
