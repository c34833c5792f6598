import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { WireEnvironment } from '../http/proxies.ts'
import type { Endpoint } from './server-options.ts'

/**
 * Owns who an environment is to a cloud, where no key is named: profiles, workload identities, and what the machine itself
 * is. Never: the environment of the process, in which the clouds' own chains would look.
 */

type AwsKeys = () => Promise<object>
type AwsSource = (options: object) => AwsKeys

interface AwsSources {
  createCredentialChain(...sources: readonly AwsKeys[]): AwsKeys
  readonly fromTokenFile: AwsSource
  readonly fromHttp: AwsSource
  readonly fromIni: AwsSource
  readonly fromInstanceMetadata: AwsSource
}

interface CloudWish {
  /** The package that brings the cloud's library. */
  readonly owner: string
}

/**
 * The keys that a role of Kubernetes or of a container, a profile of a person (a login too), or the machine gives.
 *
 * @see https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
 */
export function awsKeys(env: WireEnvironment, { owner, region }: CloudWish & { readonly region: string }) {
  return async (): Promise<AwsKeys> => {
    const library = libraryOf(owner, '@aws-sdk/credential-providers') as AwsSources
    const keys = library.createCredentialChain(...sourcesOf(env, library, region))
    return () => keys().catch(fail)
  }
}

/** Whether AWS may know this environment by other keys than a moment ago: those that it names itself stay. */
export function mayChange({ spec, env }: Pick<Endpoint, 'spec' | 'env'>): boolean {
  return spec.cloud === 'bedrock' && !env['AWS_ACCESS_KEY_ID'] && !env['AWS_BEARER_TOKEN_BEDROCK']
}

function sourcesOf(env: WireEnvironment, library: AwsSources, region: string): readonly AwsKeys[] {
  const { fromTokenFile, fromHttp, fromIni, fromInstanceMetadata } = library
  const { AWS_WEB_IDENTITY_TOKEN_FILE: token, AWS_PROFILE: profile, HOME: home = '' } = env
  const relative = env['AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'] ?? ''
  const full = env['AWS_CONTAINER_CREDENTIALS_FULL_URI'] ?? ''
  const clientConfig = { region }
  const role = {
    webIdentityTokenFile: token,
    roleArn: env['AWS_ROLE_ARN'] ?? '',
    roleSessionName: env['AWS_ROLE_SESSION_NAME'] ?? 'troupe',
    clientConfig: {
      ...clientConfig,
      ...(env['AWS_ENDPOINT_URL_STS'] ? { endpoint: env['AWS_ENDPOINT_URL_STS'] } : {}),
    },
  }
  const container = {
    awsContainerCredentialsRelativeUri: relative,
    awsContainerCredentialsFullUri: full,
    awsContainerAuthorizationToken: env['AWS_CONTAINER_AUTHORIZATION_TOKEN'] ?? '',
    awsContainerAuthorizationTokenFile: env['AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'] ?? '',
  }
  const files = {
    profile: profile ?? 'default',
    filepath: env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(home, '.aws', 'credentials'),
    configFilepath: env['AWS_CONFIG_FILE'] ?? join(home, '.aws', 'config'),
    clientConfig,
    // Keys in files change while a team works.
    ignoreCache: true,
  }
  return [
    ...(token ? [fromTokenFile(role)] : []),
    fromIni(files),
    ...(relative || full ? [fromHttp(container)] : []),
    // A profile that somebody named stands alone.
    ...(profile || env['AWS_EC2_METADATA_DISABLED'] === 'true' ? [] : [fromInstanceMetadata({})]),
  ]
}

interface GoogleAuth {
  getRequestHeaders(): Promise<Headers>
  getProjectId(): Promise<string>
}

interface GoogleLibrary {
  readonly GoogleAuth: new (options: object) => GoogleAuth
  readonly Compute: new (options: object) => Pick<GoogleAuth, 'getRequestHeaders'>
}

/** A client that knows who it is to Google, and for which project once it was asked. */
interface GoogleClient {
  projectId?: string
  getRequestHeaders(): Promise<Headers>
}

const scopes = 'https://www.googleapis.com/auth/cloud-platform'

/**
 * The client of the credentials in a file that the environment names, of a person's login, or of the machine.
 *
 * @see https://cloud.google.com/docs/authentication/application-default-credentials
 */
export function googleClient(
  env: WireEnvironment,
  { owner, project }: CloudWish & { readonly project: string | null },
) {
  let known: GoogleAuth | undefined
  const client: GoogleClient = {
    async getRequestHeaders() {
      const library = libraryOf(owner, 'google-auth-library') as GoogleLibrary
      const keyFilename = googleFile(env)
      if (keyFilename === undefined) return new library.Compute({ scopes }).getRequestHeaders().catch(unknown)
      known ??= new library.GoogleAuth({ scopes, keyFilename })
      const headers = await known.getRequestHeaders().catch(fail)
      if (project === null) client.projectId ??= await known.getProjectId().catch(fail)
      return headers
    },
  }
  return client
}

function googleFile(env: WireEnvironment): string | undefined {
  const named = env['GOOGLE_APPLICATION_CREDENTIALS']
  if (named) return named
  const folder = env['CLOUDSDK_CONFIG'] ?? join(env['HOME'] ?? '', '.config', 'gcloud')
  const login = join(folder, 'application_default_credentials.json')
  return existsSync(login) ? login : undefined
}

function libraryOf(owner: string, name: string): unknown {
  const place = createRequire(import.meta.url).resolve(owner)
  return createRequire(place)(name)
}

/** A cloud that cannot be reached may be asked again; one that knows nobody need not. */
function fail(error: unknown): never {
  const { code, status } = error as { readonly code?: unknown; readonly status?: unknown }
  const isPassing = /^(ECONN|ENET|EHOST|EAI_|ETIMEDOUT|ENOTFOUND|EPIPE)/.test(String(code)) || Number(status) >= 500
  if (isPassing) throw error
  return unknown(error)
}

function unknown(error: unknown): never {
  const why = error instanceof Error ? error.message : String(error)
  throw Object.assign(new Error(`the cloud knows nobody here: ${why}`), { code: 'ERR_CLOUD_IDENTITY' })
}
