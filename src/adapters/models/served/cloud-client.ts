import { createRequire } from 'node:module'
import type { ProviderSpec } from '../../../protocol/words/provider-spec.ts'
import { openWebWire } from '../http/wire.ts'
import type { Client } from './served-model.ts'
import { waitsOf, withExtras, type Endpoint } from './server-options.ts'

type Cloud = NonNullable<ProviderSpec['cloud']>
type Options = Readonly<Record<string, unknown>>
type ClientClass = new (options: Options) => Client

/** The class of a vendor's package for a cloud, and the options that it takes beside those of all. */
interface CloudClient {
  readonly package: string
  readonly className: string
  options(endpoint: Endpoint, key: string): Options
}

const byCloud: Readonly<Record<Cloud, CloudClient>> = {
  bedrock: {
    package: '@anthropic-ai/bedrock-sdk',
    className: 'AnthropicBedrock',
    // Without keys the package asks the profiles and identities of AWS.
    options: ({ env, spec }, key) => ({
      apiKey: key || (env['AWS_BEARER_TOKEN_BEDROCK'] ?? null),
      awsRegion: spec.region ?? env['AWS_REGION'] ?? env['AWS_DEFAULT_REGION'] ?? 'us-east-1',
      awsAccessKey: env['AWS_ACCESS_KEY_ID'] ?? null,
      awsSecretKey: env['AWS_SECRET_ACCESS_KEY'] ?? null,
      awsSessionToken: env['AWS_SESSION_TOKEN'] ?? null,
    }),
  },
  vertex: {
    package: '@anthropic-ai/vertex-sdk',
    className: 'AnthropicVertex',
    // Without a token the package asks Google's default credentials.
    options: ({ env, spec, credential }, key) => ({
      region: spec.region ?? env['CLOUD_ML_REGION'] ?? 'global',
      projectId: spec.project ?? env['ANTHROPIC_VERTEX_PROJECT_ID'] ?? env['GOOGLE_CLOUD_PROJECT'] ?? null,
      ...(key === ''
        ? {}
        : {
            authClient: {
              getRequestHeaders: async () => new Headers({ authorization: `Bearer ${await credential.read()}` }),
            },
          }),
    }),
  },
  foundry: {
    package: '@anthropic-ai/foundry-sdk',
    className: 'AnthropicFoundry',
    options: ({ env, baseURL, credential }, key) => ({
      ...credentials(key, credential),
      ...(baseURL === undefined ? { resource: env['ANTHROPIC_FOUNDRY_RESOURCE'] } : {}),
    }),
  },
  azure: {
    package: 'openai',
    className: 'AzureOpenAI',
    options: ({ env, spec, baseURL, credential }, key) => ({
      ...credentials(key, credential),
      apiVersion: spec.api_version ?? env['OPENAI_API_VERSION'] ?? '2025-04-01-preview',
      ...(baseURL === undefined ? { endpoint: env['AZURE_OPENAI_ENDPOINT'] } : {}),
    }),
  },
}

/** A token of Entra is a JWT, a key is none. */
function credentials(key: string, { read }: Endpoint['credential']): Options {
  return key.startsWith('eyJ') ? { azureADTokenProvider: read } : { apiKey: key }
}

/**
 * The vendor's own client for a cloud: it signs, and rewrites paths and bodies. The package is loaded here, not before.
 *
 * @throws when the package is not installed, naming it
 */
export async function cloudClient(cloud: Cloud, endpoint: Endpoint): Promise<Client> {
  const { package: name, className, options } = byCloud[cloud]
  // None of these packages comes with this one, but openai.
  const classes = createRequire(import.meta.url)(name) as Readonly<Record<string, ClientClass>>
  const Class = classes[className]
  if (!Class) throw new Error(`${name} has no ${className}`)
  const { env, baseURL, credential } = endpoint
  const waits = waitsOf(endpoint)
  const client = new Class({
    ...options(endpoint, await credential.read()),
    fetch: openWebWire(env, waits),
    maxRetries: 0,
    timeout: waits.firstByteMs,
    logLevel: 'off',
    ...(baseURL === undefined ? {} : { baseURL }),
  })
  const variable = cloud === 'azure' ? 'OPENAI_CUSTOM_HEADERS' : 'ANTHROPIC_CUSTOM_HEADERS'
  return Object.assign(withExtras(client, endpoint, variable), { wholeBodies: true })
}
