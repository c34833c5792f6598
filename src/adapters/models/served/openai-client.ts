import { createHash } from 'node:crypto'
import type { ModelRequest } from '../../../protocol/models/model.ts'
import { openWire, textIn } from '../http/wire.ts'
import { bodyOf } from './send-request.ts'
import type { Client } from './served-model.ts'
import { vendorOf, waitsOf, withExtras, type Endpoint } from './server-options.ts'

/** The SDK's client for both APIs of OpenAI, and for servers that imitate them. The SDK is loaded here, not before. */
export async function openAiClient(options: Endpoint): Promise<Client> {
  const { provider, baseURL, env, spec, credential } = options
  if (spec.cloud !== undefined) return (await import('./cloud-client.ts')).cloudClient(spec.cloud, options)
  const waits = waitsOf(options)
  const { OpenAI } = await import('openai')
  const own = vendorOf(provider) === 'OPENAI' ? env : {}
  const client = new OpenAI({
    // The SDK insists on a key; a server that needs none is sent this word.
    apiKey: (await credential.read()) || 'none',
    organization: own['OPENAI_ORG_ID'] ?? null,
    project: own['OPENAI_PROJECT_ID'] ?? null,
    fetch: openWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
  })
  return withExtras(client, options)
}

const listMs = 10_000

/** Ids of the models that a server offers (`/v1/models`), sorted. @throws the server's refusal, or the broken connection */
export async function offeredModels(options: Endpoint): Promise<readonly string[]> {
  return modelsAt(await openAiClient(options), '/models')
}

/** The same for any client, by the path of its list. */
export async function modelsAt(client: Client, path: string): Promise<readonly string[]> {
  const { body } = await bodyOf(client, { method: 'get', path }, listMs)
  const { data } = JSON.parse(await textIn(body)) as { readonly data: readonly { readonly id: string }[] }
  return data.map(({ id }) => id).toSorted()
}

/** Requests of one agent begin alike: the vendor sends those with the same key to where their beginning is kept. */
export function cacheKey({ agent, system }: ModelRequest): string {
  return `troupe-${createHash('sha256').update(`${agent}\n${system}`).digest('hex').slice(0, 24)}`
}
