import type { Model } from '../../../protocol/models/model.ts'
import { openAiClient } from '../served/openai-client.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import type { ServerOptions } from '../served/server-options.ts'
import { chatAnswer } from './answer.ts'
import { chatRefusals, chatRequests, type ChatFeature } from './request.ts'
import { chatVendor } from './rounds.ts'

const chat: Api<ChatFeature> = {
  vendor: chatVendor,
  path: '/chat/completions',
  refusals: chatRefusals,
  answer: chatAnswer,
  writer: chatRequests,
}

/**
 * Opens a model of the chat completions API: OpenAI's, or any server that imitates it (Ollama, vLLM, llama.cpp …).
 *
 * @example
 * const model = await openChat('openai-compatible/…', { model: '…', apiKey: '', baseURL: 'http://127.0.0.1:11434/v1', env })
 */
export async function openChat(name: string, options: ServerOptions): Promise<Model> {
  return servedModel(chat, name, { ...options, client: await openAiClient(options) })
}
