import { createRequire } from 'node:module'
import type { ProviderSpec } from '../../../protocol/words/provider-spec.ts'
import { openWebWire } from '../http/wire.ts'
import { awsKeys, googleClient } from './cloud-identity.ts'
import type { Client } from './served-model.ts'
import { waitsOf, withExtras, type Endpoint } from './server-options.ts'

type Cloud = NonNullable<ProviderSpec['cloud']>
type Options = Readonly<Record<string, unknown>>
type ClientClass = new (options: Options) => Client

/** The class of a vendor's package for a cloud, its address, and the options that it takes beside those of all. */
interface CloudClient {
  readonly package: string
  readonly className: string
  /** The variables of which one is needed, where nothing else says the same. */
  missing?(endpoint: Endpoint): string | false
  /** The address where the provider names none; null where the class knows it. */
  address(endpoint: Endpoint): string | null
  options(endpoint: Endpoint, key: string): Options
}

const regionOf = ({ env, spec }: Endpoint): string =>
  spec.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1'

const byCloud: Readonly<Record<Cloud, CloudClient>> = {
  bedrock: {
    package: '@anthropic-ai/bedrock-sdk',
    className: 'AnthropicBedrock',
    address: (endpoint) =>
      endpoint.env['ANTHROPIC_BEDROCK_BASE_URL'] ?? `https://bedrock-runtime.${regionOf(endpoint)}.amazonaws.com`,
    options: (endpoint, key) => ({
      apiKey: key || (endpoint.env['AWS_BEARER_TOKEN_BEDROCK'] ?? null),
      awsRegion: regionOf(endpoint),
      awsAccessKey: endpoint.env['AWS_ACCESS_KEY_ID'] ?? null,
      awsSecretKey: endpoint.env['AWS_SECRET_ACCESS_KEY'] ?? null,
      awsSessionToken: endpoint.env['AWS_SESSION_TOKEN'] ?? null,
      // Without keys.
      providerChainResolver: awsKeys(endpoint.env, { owner: byCloud.bedrock.package, region: regionOf(endpoint) }),
    }),
  },
  vertex: {
    package: '@anthropic-ai/vertex-sdk',
    className: 'AnthropicVertex',
    missing: (endpoint) =>
      projectOf(endpoint) === null &&
      !endpoint.env['GOOGLE_APPLICATION_CREDENTIALS'] &&
      'GOOGLE_CLOUD_PROJECT or ANTHROPIC_VERTEX_PROJECT_ID',
    address: ({ env }) => env['ANTHROPIC_VERTEX_BASE_URL'] ?? null,
    options: (endpoint, key) => ({
      region: endpoint.spec.region ?? endpoint.env['CLOUD_ML_REGION'] ?? 'global',
      projectId: projectOf(endpoint),
      authClient: key === '' ? asGoogle(endpoint) : bearer(endpoint),
    }),
  },
  foundry: {
    package: '@anthropic-ai/foundry-sdk',
    className: 'AnthropicFoundry',
    missing: (endpoint) => addressOf(endpoint, foundry) === null && 'ANTHROPIC_FOUNDRY_RESOURCE or FOUNDRY_BASE_URL',
    address: (endpoint) => addressOf(endpoint, foundry),
    options: ({ credential }, key) => ({ ...credentials(key, credential), resource: null }),
  },
  azure: {
    package: 'openai',
    className: 'AzureOpenAI',
    missing: (endpoint) => addressOf(endpoint, azure) === null && 'AZURE_OPENAI_ENDPOINT or AZURE_BASE_URL',
    address: (endpoint) => addressOf(endpoint, azure),
    options: ({ env, spec, credential }, key) => ({
      ...credentials(key, credential),
      organization: null,
      project: null,
      apiVersion: spec.api_version ?? env['OPENAI_API_VERSION'] ?? '2025-04-01-preview',
    }),
  },
}

type Address = (env: Endpoint['env']) => string | undefined

const foundry: Address = ({ ANTHROPIC_FOUNDRY_BASE_URL: whole, ANTHROPIC_FOUNDRY_RESOURCE: resource }) =>
  whole ?? (resource && `https://${resource}.services.ai.azure.com/anthropic/`)

const azure: Address = ({ AZURE_OPENAI_ENDPOINT: resource }) => resource && `${resource.replace(/\/+$/, '')}/openai`

function addressOf({ baseURL, env }: Endpoint, known: Address): string | null {
  return baseURL ?? known(env) ?? null
}

function projectOf({ env, spec }: Endpoint): string | null {
  return spec.project ?? env['ANTHROPIC_VERTEX_PROJECT_ID'] ?? env['GOOGLE_CLOUD_PROJECT'] ?? null
}

function asGoogle(endpoint: Endpoint) {
  return googleClient(endpoint.env, { owner: byCloud.vertex.package, project: projectOf(endpoint) })
}

function bearer({ credential }: Endpoint) {
  return { getRequestHeaders: async () => new Headers({ authorization: `Bearer ${await credential.read()}` }) }
}

/** A token of Entra is a JWT, a key is none. */
function credentials(key: string, { read }: Endpoint['credential']): Options {
  return key.startsWith('eyJ') ? { azureADTokenProvider: read } : { apiKey: key }
}

/**
 * The vendor's own client for a cloud: it signs, and rewrites paths and bodies. The package is loaded here, not before.
 * No class looks for keys or addresses in the environment of the process.
 *
 * @throws when the package is not installed, naming it, and when nothing says the address
 */
export async function cloudClient(cloud: Cloud, endpoint: Endpoint): Promise<Client> {
  const { package: name, className, options, address, missing } = byCloud[cloud]
  // None of these packages comes with this one, but openai.
  const classes = createRequire(import.meta.url)(name) as Readonly<Record<string, ClientClass>>
  const Class = classes[className]
  if (!Class) throw new Error(`${name} has no ${className}`)
  const { env, credential } = endpoint
  const waits = waitsOf(endpoint)
  const missed = missing?.(endpoint)
  if (missed) {
    const why = `nothing says where ${cloud} is: ${missed} is not set`
    throw Object.assign(new Error(why), { code: 'ERR_CLOUD_ADDRESS' })
  }
  const client = new Class({
    ...options(endpoint, await credential.read()),
    fetch: openWebWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    baseURL: endpoint.baseURL ?? address(endpoint),
  })
  return Object.assign(withExtras(client, endpoint), { wholeBodies: true })
}
