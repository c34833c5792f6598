import type { OpenAiApi } from '../../protocol/models/model-servers.ts'
import type { Model } from '../../protocol/models/model.ts'
import { failureOf, redacted } from './http/failure-of.ts'
import { ModelUnavailable } from './served/model-unavailable.ts'
import type { ServerTimeouts, ServerOptions } from './served/server-options.ts'
import type { WireEnvironment } from './http/wire.ts'

/** How the environment names a server. `.env` files are never read. */
export interface ServerEnvironment {
  readonly env: WireEnvironment
  /** OpenAI's newer or its older, much imitated API (default: responses for `openai`, chat elsewhere). */
  readonly api?: OpenAiApi
  readonly patience?: ServerTimeouts
}

/** `anthropic/<model>`: ANTHROPIC_API_KEY, and ANTHROPIC_BASE_URL for a gateway. */
export async function openAnthropicServer(
  name: string,
  model: string,
  { env, patience }: ServerEnvironment,
): Promise<Model> {
  const baseURL = env['ANTHROPIC_BASE_URL']
  if (model === '') throw unnamed(name, 'Write anthropic/<model>; `troupe models` lists some')
  const key = keyIn(env, 'ANTHROPIC_API_KEY')
  return shared(env, [name, key.apiKey, baseURL, patience], async () => {
    const { openAnthropic } = await import('./anthropic/open.ts')
    return openAnthropic(name, { ...patience, model, ...key, env, ...(baseURL ? { baseURL } : {}) })
  })
}

/** `openai/<model>`: OPENAI_API_KEY, and OPENAI_BASE_URL for a gateway. */
export async function openOpenAiServer(name: string, model: string, given: ServerEnvironment): Promise<Model> {
  const { env, api, patience } = given
  const baseURL = env['OPENAI_BASE_URL']
  const server = { ...patience, ...keyIn(env, 'OPENAI_API_KEY'), env, ...(baseURL ? { baseURL } : {}) }
  if (model === '') throw await unnamedOf(name, server)
  return shared(env, [name, server.apiKey, baseURL, patience, api], async () => {
    const { openChat, openResponses } = await import('./openai/open.ts')
    return api === 'chat' ? openChat(name, { ...server, model }) : openResponses(name, { ...server, model })
  })
}

/** `openai-compatible/<model>`: OPENAI_COMPATIBLE_BASE_URL, and OPENAI_COMPATIBLE_API_KEY where the server wants one. */
export async function openCompatibleServer(name: string, model: string, given: ServerEnvironment): Promise<Model> {
  const { env, api, patience } = given
  const baseURL = env['OPENAI_COMPATIBLE_BASE_URL'] ?? ''
  const server = { ...patience, ...keyIn(env, 'OPENAI_COMPATIBLE_API_KEY'), env, baseURL }
  if (model === '') throw await unnamedOf(name, server)
  return shared(env, [name, server.apiKey, baseURL, patience, api], async () => {
    const { openChat, openResponses } = await import('./openai/open.ts')
    return api === 'responses' ? openResponses(name, { ...server, model }) : openChat(name, { ...server, model })
  })
}

const opened = new WeakMap<WireEnvironment, Map<string, Promise<Model>>>()

/**
 * Agents that are given the same environment share the way to a server: the client, the connections, and what the
 * server was found not to know. A way is another one when its key or its address has changed meanwhile.
 */
function shared(env: WireEnvironment, way: readonly unknown[], open: () => Promise<Model>): Promise<Model> {
  const ways = opened.get(env) ?? new Map<string, Promise<Model>>()
  opened.set(env, ways)
  const name = JSON.stringify([...way, env['OPENAI_ORG_ID'], env['OPENAI_PROJECT_ID']])
  const known = ways.get(name)
  if (known) return known
  const model = open()
  ways.set(name, model)
  model.catch(() => ways.delete(name))
  return model
}

function keyIn(env: WireEnvironment, variable: string) {
  const readKey = (): string => env[variable] ?? ''
  return { apiKey: readKey(), readKey, keyName: variable }
}

/** No model was named: the server itself says which there are. */
async function unnamedOf(name: string, server: Omit<ServerOptions, 'model'>): Promise<ModelUnavailable> {
  const { offeredModels } = await import('./openai/open.ts')
  try {
    const offered = await offeredModels(server)
    return unnamed(name, offered.length > 0 ? `The server offers: ${offered.join(', ')}` : 'The server offers none')
  } catch (error) {
    const { message } = redacted(failureOf(error, false), [server.apiKey])
    return unnamed(name, `The server could not be asked which it offers: ${message}`)
  }
}

function unnamed(name: string, remedy: string): ModelUnavailable {
  return new ModelUnavailable('not_found', `"${name}" names a provider but no model`, remedy)
}
