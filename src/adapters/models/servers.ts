import type { OpenAiApi } from '../../protocol/models/model-servers.ts'
import type { Model } from '../../protocol/models/model.ts'
import type { ProviderSpec } from '../../protocol/words/provider-spec.ts'
import { failureOf, redacted } from './http/failure-of.ts'
import type { WireEnvironment } from './http/proxies.ts'
import { variableName } from '../../rules/settings/known-providers.ts'
import { credentialOf } from './served/credential.ts'
import { ModelUnavailable } from './served/model-unavailable.ts'
import type { Endpoint, ServerOptions, ServerTimeouts } from './served/server-options.ts'

/** How the environment names a server. `.env` files are never read. */
export interface ServerEnvironment {
  readonly env: WireEnvironment
  readonly spec: ProviderSpec
  /** OpenAI's newer or its older, much imitated API, when not the provider's usual one. */
  readonly api?: OpenAiApi
  readonly patience?: ServerTimeouts
}

type Opener = (name: string, options: ServerOptions) => Model

const openers: Readonly<Record<NonNullable<ProviderSpec['api']>, () => Promise<Opener>>> = {
  messages: async () => (await import('./anthropic/open.ts')).openAnthropic,
  responses: async () => (await import('./openai/open.ts')).openResponses,
  chat: async () => (await import('./chat/open.ts')).openChat,
}

/**
 * Opens a model behind a server, by its full name and the vendor's own name for it.
 *
 * @throws ModelUnavailable when no model is named; it says which ones the server offers
 */
export async function openServed(name: string, model: string, { env, spec, api, patience }: ServerEnvironment) {
  const provider = name.split('/', 1)[0] ?? name
  const endpoint = endpointOf(provider, { env, spec, ...(patience ? { patience } : {}) })
  const spoken = spec.api === 'messages' ? spec.api : (api ?? spec.api ?? 'chat')
  if (model === '') throw await unnamed(name, spoken, endpoint)
  const { credential, baseURL } = endpoint
  const key = credential.keyName === undefined ? null : env[credential.keyName]
  return shared(env, [name, key, baseURL, patience, spoken, spec], async () => {
    const open = await openers[spoken]()
    return open(name, { ...endpoint, model })
  })
}

/** The way to a provider's server. The variable `<NAME>_BASE_URL` goes before what is known of the name. */
export function endpointOf(provider: string, { env, spec, patience }: ServerEnvironment): Endpoint {
  const baseURL = env[`${variableName(provider)}_BASE_URL`] || spec.base_url
  return { ...patience, provider, spec, baseURL, credential: credentialOf(spec, env), env }
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
async function unnamed(name: string, api: string, endpoint: Endpoint): Promise<ModelUnavailable> {
  const why = `"${name}" names a provider but no model`
  const unavailable = (remedy: string) => new ModelUnavailable('not_found', why, remedy)
  if (api === 'messages') return unavailable(`Write ${endpoint.provider}/<model>; \`troupe models\` lists some`)
  try {
    const { offeredModels } = await import('./served/openai-client.ts')
    const offered = await offeredModels(endpoint)
    return unavailable(offered.length > 0 ? `The server offers: ${offered.join(', ')}` : 'The server offers none')
  } catch (error) {
    const { message } = redacted(failureOf(error, false), [await endpoint.credential.read().catch(() => '')])
    return unavailable(`The server could not be asked which it offers: ${message}`)
  }
}
