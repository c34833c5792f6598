import type { Model } from '../../../protocol/models/model.ts'
import { withCapacity } from '../local/capacity.ts'
import { localCounter } from '../local/local-counters.ts'
import { openAiClient } from '../served/openai-client.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import { isNear, type ServerOptions } from '../served/server-options.ts'
import { chatAnswer } from './answer.ts'
import { chatNames, chatRefusals, chatRequests, type ChatFeature } from './request.ts'
import { chatVendor } from './rounds.ts'
import { serverToolsName } from '../served/tool-names.ts'

const chat: Api<ChatFeature> = {
  vendor: chatVendor,
  path: '/chat/completions',
  refusals: chatRefusals,
  names: chatNames,
  answer: () => chatAnswer(),
  writer: chatRequests,
  lacks: ({ sampling }) =>
    sampling?.server_tools?.length
      ? { feature: serverToolsName, back: false, reason: 'servers of the chat completions API have none' }
      : undefined,
}

/**
 * Opens a model of the chat completions API: OpenAI's, or any server that imitates it (Ollama, vLLM, llama.cpp …).
 */
export function openChat(name: string, options: ServerOptions): Model {
  const near = isNear(options)
  const answer: typeof chat.answer = (refused) => chatAnswer(() => near || refused().has('tools'))
  const connect = () => openAiClient(options)
  const writer: typeof chat.writer = (model) => chatRequests(model, options.provider)
  const api = { ...chat, answer, writer, counter: localCounter(options) }
  return withCapacity(servedModel(api, name, { ...options, connect }), options, connect)
}
