import { providers, specOf, variableOf } from '../../rules/settings/known-providers.ts'
import { endpointOf } from '../../adapters/models/servers.ts'
import { failureOf, placed, redacted } from '../../adapters/models/http/failure-of.ts'
import type { Endpoint } from '../../adapters/models/served/server-options.ts'
import type { ProviderSpec, ProviderSpecs } from '../../protocol/words/provider-spec.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'

/** The answer of one provider to the question which models it has. */
export interface CheckedProvider {
  readonly name: string
  /** `silent`: a server of this machine that does not run. `unasked`: its cloud has no such question. */
  readonly state: 'answers' | 'refuses' | 'silent' | 'unasked'
  readonly address: string | null
  /** Names of its models. */
  readonly models: readonly string[]
  readonly duration_ms: number
  readonly failure?: Failure
}

export interface CheckModelsOptions {
  /** Where credentials are looked up. */
  readonly env: Readonly<Record<string, string | undefined>>
  /** Providers that the settings name. */
  readonly servers: ProviderSpecs
  readonly now: () => number
}

/**
 * Asks every configured provider for its models: those whose credential is there, those that settings name, and the usual
 * servers of this machine. No model is asked anything, so it costs nothing.
 *
 * @example for (const { name, state } of await checkModels({ env: process.env, servers: {}, now: Date.now })) print(name, state)
 */
export async function checkModels({ env, servers, now }: CheckModelsOptions): Promise<readonly CheckedProvider[]> {
  const names = [...new Set([...providers.map(({ name }) => name), ...Object.keys(servers)])]
  const configured = names.flatMap((name) => {
    const spec = specOf(name, servers)
    const variable = variableOf(name, servers)
    const isThere = spec !== null && (variable === null ? hasAddress(name, spec, servers) : Boolean(env[variable]))
    return isThere ? [{ name, spec }] : []
  })
  return Promise.all(configured.map(({ name, spec }) => checked(name, spec, { env, servers, now })))
}

/** A cloud whose credentials come from profiles is asked about only where somebody named it. */
function hasAddress(name: string, { cloud }: ProviderSpec, servers: ProviderSpecs): boolean {
  return cloud === undefined || Object.hasOwn(servers, name)
}

async function checked(
  name: string,
  spec: ProviderSpec,
  { env, servers, now }: CheckModelsOptions,
): Promise<CheckedProvider> {
  const endpoint = endpointOf(name, { env, spec })
  const began = now()
  const said = { name, address: endpoint.baseURL ?? null, models: [] }
  if (spec.cloud !== undefined) return { ...said, state: 'unasked', models: spec.models ?? [], duration_ms: 0 }
  let key = ''
  try {
    key = await endpoint.credential.read()
    const models = await offered(endpoint)
    return { ...said, state: 'answers', models, duration_ms: now() - began }
  } catch (error) {
    const place = { address: endpoint.baseURL, keyName: endpoint.credential.keyName }
    const failure = redacted(placed(failureOf(error, false), place), [key])
    const isOff = spec.local === true && failure.code === 'connection_lost' && !Object.hasOwn(servers, name)
    return { ...said, state: isOff ? 'silent' : 'refuses', duration_ms: now() - began, failure }
  }
}

async function offered(endpoint: Endpoint): Promise<readonly string[]> {
  if (endpoint.spec.api === 'messages') {
    const { anthropicModels } = await import('../../adapters/models/anthropic/open.ts')
    return anthropicModels(endpoint)
  }
  const { offeredModels } = await import('../../adapters/models/served/openai-client.ts')
  return offeredModels(endpoint)
}
