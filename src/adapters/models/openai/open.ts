import type { Model } from '../../../protocol/models/model.ts'
import { withCapacity } from '../local/capacity.ts'
import { openAiClient } from '../served/openai-client.ts'
import { countedAt } from '../served/count-tokens.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import type { ServerOptions } from '../served/server-options.ts'
import { responsesAnswer } from './answer.ts'
import { responsesNames, responsesRefusals, responsesRequests, type ResponsesFeature } from './request.ts'
import { openAiVendor } from './rounds.ts'

const responses: Api<ResponsesFeature> = {
  vendor: openAiVendor,
  path: '/responses',
  refusals: responsesRefusals,
  names: responsesNames,
  answer: responsesAnswer,
  writer: responsesRequests,
  /** @see https://platform.openai.com/docs/api-reference/responses/input-tokens */
  counter: countedAt('/responses/input_tokens', [
    'model',
    'input',
    'instructions',
    'tools',
    'tool_choice',
    'text',
    'reasoning',
    'truncation',
    'parallel_tool_calls',
  ]),
}

/**
 * Opens a model of the Responses API.
 *
 * @param name `openai/<model>`, as journals name it
 */
export function openResponses(name: string, options: ServerOptions): Model {
  const connect = () => openAiClient(options)
  return withCapacity(servedModel(responses, name, { ...options, connect }), options, connect)
}
