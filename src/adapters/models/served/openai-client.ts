import { createHash } from 'node:crypto'
import type { OpenAI } from 'openai'
import type { ModelRequest } from '../../../protocol/models/model.ts'
import { openWire, textIn } from '../http/wire.ts'
import { bodyOf } from './send-request.ts'
import { waitsOf, type ServerOptions } from './server-options.ts'

type Reached = Omit<ServerOptions, 'model'>

/** The SDK's client for both APIs of OpenAI, and for servers that imitate them. The SDK is loaded here, not before. */
export async function openAiClient(options: Reached): Promise<OpenAI> {
  const { apiKey, baseURL, env } = options
  const waits = waitsOf(options)
  const { OpenAI: Client } = await import('openai')
  return new Client({
    // The SDK insists on a key; a server that needs none is sent this word.
    apiKey: apiKey === '' ? 'none' : apiKey,
    organization: env['OPENAI_ORG_ID'] ?? null,
    project: env['OPENAI_PROJECT_ID'] ?? null,
    fetch: openWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    baseURL: baseURL ?? 'https://api.openai.com/v1',
  })
}

const listMs = 10_000

/** Ids of the models that a server offers (`/v1/models`), sorted. @throws the server's refusal, or the broken connection */
export async function offeredModels(options: Reached): Promise<readonly string[]> {
  const client = await openAiClient(options)
  const text = await textIn(await bodyOf(client, { method: 'get', path: '/models' }, listMs))
  const { data } = JSON.parse(text) as { readonly data: readonly { readonly id: string }[] }
  return data.map(({ id }) => id).toSorted()
}

/** OpenAI knows efforts only: a budget of thinking becomes the nearest. */
const byBudget = [
  [1, 'none'],
  [4_096, 'low'],
  [16_384, 'medium'],
] as const

/** How hard to think in OpenAI's words, or undefined when nothing was said about it. */
export function effortName({ effort, thinking_budget }: ModelRequest, withoutHighest: boolean): string | undefined {
  if (effort === 'max') return withoutHighest ? 'high' : 'xhigh'
  if (effort !== undefined || thinking_budget === undefined) return effort
  return byBudget.find(([below]) => thinking_budget < below)?.[1] ?? 'high'
}

/** Requests of one agent begin alike: the vendor sends those with the same key to where their beginning is kept. */
export function cacheKey({ agent, system }: ModelRequest): string {
  return `troupe-${createHash('sha256').update(`${agent}\n${system}`).digest('hex').slice(0, 24)}`
}
