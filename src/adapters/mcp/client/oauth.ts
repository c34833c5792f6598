import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientMetadata } from '@modelcontextprotocol/sdk/shared/auth.js'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import type { LoginFile } from './token-file.ts'

/** How a person is led through a login. */
export interface LoginDesk {
  /** Where the browser comes back to. */
  readonly redirectUrl: string
  /** A word that the answer must repeat, so that nobody else's is taken for it. */
  readonly state: string
  /** Opens the address for the person. */
  open(url: URL): void | Promise<void>
}

/** The address that a client without a person names; nobody is ever sent there. */
const nowhere = 'http://127.0.0.1:33418/callback'

/**
 * The OAuth side of a connection: tokens from the login file, refreshed as the server asks. Only with a `desk` a new
 * login begins; without one the connection wants one and says so.
 */
export function oauthOf(spec: McpServerSpec, file: LoginFile, desk: LoginDesk | null): OAuthClientProvider {
  const { oauth = {} } = spec
  const redirectUrl = desk?.redirectUrl ?? nowhere
  const metadata: OAuthClientMetadata = {
    client_name: 'Troupe',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: oauth.clientSecret === undefined ? 'none' : 'client_secret_basic',
    ...(oauth.scope === undefined ? {} : { scope: oauth.scope }),
  }
  return {
    redirectUrl,
    clientMetadata: metadata,
    ...(oauth.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: oauth.clientMetadataUrl }),
    ...(desk === null ? {} : { state: () => desk.state }),
    clientInformation() {
      if (oauth.clientId === undefined) return file.read().client
      const secret = oauth.clientSecret === undefined ? {} : { client_secret: oauth.clientSecret }
      return { client_id: oauth.clientId, ...secret, ...issuerOf(file) }
    },
    saveClientInformation: (client) => file.change({ client }),
    tokens: () => file.read().tokens,
    saveTokens: (tokens) => file.change({ tokens, neededAt: undefined }),
    async redirectToAuthorization(url) {
      await desk?.open(url)
    },
    saveCodeVerifier: (verifier) => file.change({ verifier }),
    codeVerifier: () => file.read().verifier ?? '',
    saveDiscoveryState: (discovery) => file.change({ discovery }),
    discoveryState: () => file.read().discovery,
    invalidateCredentials(scope) {
      const all = { client: undefined, tokens: undefined, verifier: undefined, discovery: undefined }
      return file.change(scope === 'all' ? all : { [scope]: undefined })
    },
  }
}

/**
 * The OAuth side of a connection without a person: there is one once somebody logged in. Before that nothing is registered
 * with a server, and no way to a login is looked for.
 */
export function authOf(spec: McpServerSpec, file: LoginFile | null): { readonly auth?: OAuthClientProvider } {
  return file?.read().tokens === undefined ? {} : { auth: oauthOf(spec, file, null) }
}

/** A registration of the entry belongs to the server that it was first used with. */
function issuerOf(file: LoginFile): { readonly issuer?: string } {
  const { client } = file.read()
  return client && 'issuer' in client && typeof client.issuer === 'string' ? { issuer: client.issuer } : {}
}
