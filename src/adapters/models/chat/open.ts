import type { Model } from '../../../protocol/models/model.ts'
import { withCapacity } from '../local/capacity.ts'
import { localCounter } from '../local/local-counters.ts'
import type { Concession } from '../served/concessions.ts'
import { openAiClient } from '../served/openai-client.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import { isNear, type ServerOptions } from '../served/server-options.ts'
import { chatAnswer } from './answer.ts'
import { chatNames, chatRefusals, chatRequests, hasDocument, takesFiles, type ChatFeature } from './request.ts'
import { chatVendor } from './rounds.ts'
import { serverToolsName } from '../served/tool-names.ts'

const chat: Api<ChatFeature> = {
  vendor: chatVendor,
  path: '/chat/completions',
  refusals: chatRefusals,
  names: chatNames,
  answer: () => chatAnswer(),
  writer: chatRequests,
}

const noServerTools: Concession = {
  feature: serverToolsName,
  back: false,
  reason: 'servers of the chat completions API have none',
}

const noFiles: Concession = {
  feature: 'documents',
  back: false,
  reason: 'the server is not known to read files: the text of a PDF goes instead',
}

/** The known server at an address, else the provider's own name. `OPENAI_BASE_URL` often leads to an imitator. */
function knownServer({ provider, baseURL = '' }: ServerOptions): string {
  const host = URL.parse(baseURL)?.hostname ?? ''
  const [, known] = /(?:^|\.)(openrouter|openai)\.(?:ai|com)$/.exec(host) ?? []
  return known ?? (provider === 'openai' && host !== '' ? '' : provider)
}

/**
 * Opens a model of the chat completions API: OpenAI's, or any server that imitates it (Ollama, vLLM, llama.cpp …).
 */
export function openChat(name: string, options: ServerOptions): Model {
  const near = isNear(options)
  const answer: typeof chat.answer = (refused) => chatAnswer(() => near || refused().has('tools'))
  const connect = () => openAiClient(options)
  const server = knownServer(options)
  const writer: typeof chat.writer = (model) => chatRequests(model, server)
  const lacks: NonNullable<typeof chat.lacks> = (request) => [
    ...(request.sampling?.server_tools?.length ? [noServerTools] : []),
    ...(hasDocument(request) && !takesFiles(server) ? [noFiles] : []),
  ]
  const api = { ...chat, answer, writer, lacks, counter: localCounter(options) }
  return withCapacity(servedModel(api, name, { ...options, connect }), options, connect)
}
