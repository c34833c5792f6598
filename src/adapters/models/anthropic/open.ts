import type { Model } from '../../../protocol/models/model.ts'
import { anthropicAnswer } from './answer.ts'
import { anthropicNames, anthropicRefusals, anthropicRequests, betaHeaders, type AnthropicFeature } from './request.ts'
import { anthropicVendor } from './rounds.ts'
import { withCapacity } from '../local/capacity.ts'
import { modelsAt } from '../served/openai-client.ts'
import { countedAt } from '../served/count-tokens.ts'
import { servedModel, type Api, type Client } from '../served/served-model.ts'
import { waitsOf, withExtras, type Endpoint, type ServerOptions } from '../served/server-options.ts'
import { openWire } from '../http/wire.ts'

const messages: Api<AnthropicFeature> = {
  vendor: anthropicVendor,
  path: '/v1/messages',
  refusals: anthropicRefusals,
  names: anthropicNames,
  answer: anthropicAnswer,
  writer: anthropicRequests,
  headers: betaHeaders,
  advises: (model, conceded) => model.startsWith(`${anthropicVendor}/`) && !conceded.has('advisor'),
}

/** @see https://platform.claude.com/docs/en/api/messages-count-tokens */
const counter = countedAt('/v1/messages/count_tokens', [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
])

/**
 * Opens a model of the Messages API.
 *
 * @param name `anthropic/<model>`, as journals name it
 */
export function openAnthropic(name: string, options: ServerOptions): Model {
  const own = () => connect(options)
  // The vendor's class for Bedrock has no count.
  const api = options.spec.cloud === 'bedrock' ? messages : { ...messages, counter }
  return withCapacity(servedModel(api, name, { ...options, connect: own }), options, own)
}

async function connect(options: Endpoint): Promise<Client> {
  const { baseURL, env, spec } = options
  if (spec.cloud !== undefined) return (await import('../served/cloud-client.ts')).cloudClient(spec.cloud, options)
  const waits = waitsOf(options)
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey: await options.credential.read(),
    authToken: null,
    fetch: openWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    baseURL: rootOf(baseURL ?? 'https://api.anthropic.com'),
  })
  return withExtras(client, options)
}

/** Ids of the models that the server offers, sorted. @throws the server's refusal, or the broken connection */
export async function anthropicModels(options: Endpoint): Promise<readonly string[]> {
  return modelsAt(await connect(options), '/v1/models?limit=1000')
}

/** Addresses of gateways often end where those of OpenAI do; the SDK adds the version itself. */
function rootOf(address: string): string {
  return address.replace(/\/v1\/?$/, '')
}
