import type { OpenAiApi } from '../../protocol/models/model-servers.ts'
import type { Model } from '../../protocol/models/model.ts'
import { failureOf, redacted } from './http/failure-of.ts'
import type { WireEnvironment } from './http/proxies.ts'
import type { ProviderName } from './providers.ts'
import { ModelUnavailable } from './served/model-unavailable.ts'
import type { ServerOptions, ServerTimeouts } from './served/server-options.ts'

/** How the environment names a server. `.env` files are never read. */
export interface ServerEnvironment {
  readonly env: WireEnvironment
  /** OpenAI's newer or its older, much imitated API (default: responses for `openai`, chat elsewhere). */
  readonly api?: OpenAiApi
  readonly patience?: ServerTimeouts
}

type Opener = (name: string, options: ServerOptions) => Promise<Model>

interface Server {
  /** The variables that hold the key and the address of a server other than the vendor's. */
  readonly key: string
  readonly address: string
  /** Loads the vendor's room. */
  opener(api: OpenAiApi | undefined): Promise<Opener>
  /** Ids of the models that the server offers. */
  offered?(server: Omit<ServerOptions, 'model'>): Promise<readonly string[]>
}

const anthropic: Server = {
  key: 'ANTHROPIC_API_KEY',
  address: 'ANTHROPIC_BASE_URL',
  opener: async () => (await import('./anthropic/open.ts')).openAnthropic,
}

const openai: Server = {
  key: 'OPENAI_API_KEY',
  address: 'OPENAI_BASE_URL',
  opener: (api = 'responses') => openers[api](),
  offered: async (server) => (await import('./served/openai-client.ts')).offeredModels(server),
}

const compatible: Server = {
  ...openai,
  key: 'OPENAI_COMPATIBLE_API_KEY',
  address: 'OPENAI_COMPATIBLE_BASE_URL',
  opener: (api = 'chat') => openers[api](),
}

const openers: Readonly<Record<OpenAiApi, () => Promise<Opener>>> = {
  responses: async () => (await import('./openai/open.ts')).openResponses,
  chat: async () => (await import('./chat/open.ts')).openChat,
}

/** The providers that have a server; the compiler wants a line for each that `providers.ts` names. */
const servers: Readonly<Record<Exclude<ProviderName, 'scripted' | 'recorded'>, Server>> = {
  anthropic,
  openai,
  'openai-compatible': compatible,
}

/**
 * Opens a model behind a server, by its full name and the vendor's own name for it.
 *
 * @throws ModelUnavailable when no model is named; it says which ones the server offers
 */
export async function openServed(name: string, model: string, { env, api, patience }: ServerEnvironment) {
  const server = servers[name.split('/', 1)[0] as keyof typeof servers]
  const readKey = (): string => env[server.key] ?? ''
  const apiKey = readKey()
  const baseURL = env[server.address]
  const options = { ...patience, apiKey, readKey, keyName: server.key, env, ...(baseURL ? { baseURL } : {}) }
  if (model === '') throw await unnamed(name, server, options)
  return shared(env, [name, apiKey, baseURL, patience, api], async () => {
    const open = await server.opener(api)
    return open(name, { ...options, model })
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

/** No model was named: the server itself says which there are, where it can be asked. */
async function unnamed(name: string, server: Server, options: Omit<ServerOptions, 'model'>): Promise<ModelUnavailable> {
  const why = `"${name}" names a provider but no model`
  const unavailable = (remedy: string) => new ModelUnavailable('not_found', why, remedy)
  if (!server.offered) return unavailable(`Write ${name.split('/', 1)[0]}/<model>; \`troupe models\` lists some`)
  try {
    const offered = await server.offered(options)
    return unavailable(offered.length > 0 ? `The server offers: ${offered.join(', ')}` : 'The server offers none')
  } catch (error) {
    const { message } = redacted(failureOf(error, false), [options.apiKey])
    return unavailable(`The server could not be asked which it offers: ${message}`)
  }
}
