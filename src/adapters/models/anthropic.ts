import type { Model, ModelRequest } from '../../protocol/model.ts'
import { anthropicAnswer } from './anthropic-answer.ts'
import { anthropicRequests, anthropicVendor } from './anthropic-request.ts'
import { converse } from './converse.ts'
import { withConcessions } from './concessions.ts'
import { patience, type ServerOptions } from './server-options.ts'
import { openWire } from './wire.ts'

/** Gateways that speak this API may refuse cache breakpoints. */
const concessions = { cache: /cache_control/i }

/**
 * Opens a model of the Messages API. The SDK is loaded here, not before.
 *
 * @param name `anthropic/<model>`, as journals name it
 *
 * @example
 * const model = await openAnthropic('anthropic/…', { model: '…', apiKey, env: process.env })
 */
export async function openAnthropic(name: string, options: ServerOptions): Promise<Model> {
  const { model, apiKey, baseURL, env } = options
  const { firstByteMs, idleMs } = { ...patience, ...options }
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const wire = openWire(env, idleMs)
  const client = new Anthropic({
    apiKey,
    authToken: null,
    maxRetries: 0,
    timeout: firstByteMs,
    logLevel: 'off',
    fetch: wire.fetch,
    ...(baseURL === undefined ? {} : { baseURL }),
  })
  const write = anthropicRequests(model)
  const ask = withConcessions(concessions)
  const send = (request: ModelRequest, cached: boolean, signal: AbortSignal): Promise<Response> => {
    const headers = { 'content-type': 'application/json' }
    return client.post('/v1/messages', { body: write(request, cached), headers, stream: true, signal }).asResponse()
  }
  return {
    name,
    stream: (request, signal) =>
      converse(
        {
          name,
          vendor: anthropicVendor,
          secrets: [apiKey],
          answer: anthropicAnswer(),
          open: async (aborted) => wire.bodyOf(await ask((conceded) => send(request, !conceded.has('cache'), aborted))),
        },
        signal,
      ),
  }
}
