import type { Model } from '../../../protocol/models/model.ts'
import { anthropicAnswer } from './answer.ts'
import { advisorHeaders, anthropicRefusals, anthropicRequests, type AnthropicFeature } from './request.ts'
import { anthropicVendor } from './rounds.ts'
import { servedModel, type Api } from '../served/served-model.ts'
import { waitsOf, type ServerOptions } from '../served/server-options.ts'
import { openWire } from '../http/wire.ts'

const messages: Api<AnthropicFeature> = {
  vendor: anthropicVendor,
  path: '/v1/messages',
  refusals: anthropicRefusals,
  answer: anthropicAnswer,
  writer: anthropicRequests,
  headers: ({ advisor }) => (advisor ? advisorHeaders : undefined),
  advises: (model, conceded) => model.startsWith(`${anthropicVendor}/`) && !conceded.has('advisor'),
}

/**
 * Opens a model of the Messages API. The SDK is loaded here, not before.
 *
 * @param name `anthropic/<model>`, as journals name it
 *
 * @example
 * const model = await openAnthropic('anthropic/…', { model: '…', apiKey, env: process.env })
 */
export async function openAnthropic(name: string, options: ServerOptions): Promise<Model> {
  const { apiKey, baseURL, env } = options
  const waits = waitsOf(options)
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const client = new Anthropic({
    apiKey,
    authToken: null,
    fetch: openWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    baseURL: rootOf(baseURL ?? 'https://api.anthropic.com'),
  })
  return servedModel(messages, name, { ...options, client })
}

/** Addresses of gateways often end where those of OpenAI do; the SDK adds the version itself. */
function rootOf(address: string): string {
  return address.replace(/\/v1\/?$/, '')
}
