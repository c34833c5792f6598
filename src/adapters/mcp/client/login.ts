import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { McpAnswer, McpAsk } from '../../../protocol/mcp/listing.ts'
import type { McpServerSpec } from '../../../protocol/mcp/server-spec.ts'
import type { AskOptions } from './ask-server.ts'
import { openCallback, type Callback } from './callback.ts'
import { connectServer, LoginNeeded, type ConnectOptions, type ServerConnection } from './connect.ts'
import { oauthOf } from './oauth.ts'
import { openTransport } from './open-transport.ts'
import type { LoginFile } from './token-file.ts'

/** A person at a browser. */
export interface LoginPerson {
  open(url: URL): void | Promise<void>
}

/** Logins after the first one, after which a server that is still not content is believed to be wrong. */
const mostLogins = 2

interface Desk {
  readonly callback: Callback
  readonly signal: AbortSignal
  /** True since a browser was sent away, until its code was taken. */
  sent: boolean
}

/**
 * Connects to a server as a person does who can log in: with every login that the server asks for, at the beginning or
 * in the middle of a call, the person's browser is opened once.
 *
 * @throws what `connectServer` throws; LoginNeeded when the server is not content with a login
 */
export async function connectWithLogin(
  spec: McpServerSpec,
  options: Omit<ConnectOptions, 'auth' | 'transport'> & {
    readonly file: LoginFile
    readonly state: string
    readonly signal: AbortSignal
  },
  person: LoginPerson,
): Promise<ServerConnection> {
  const { state } = options
  const issuer = (): string | null => options.file.read().discovery?.authorizationServerMetadata?.issuer ?? null
  const callback = await openCallback({ state, issuer }, spec.oauth?.callbackPort)
  const desk: Desk = { callback, signal: options.signal, sent: false }
  const auth = oauthOf(spec, options.file, {
    redirectUrl: callback.url,
    state,
    async open(url) {
      desk.sent = true
      await person.open(url)
    },
  })
  try {
    for (let tries = 0; ; tries += 1) {
      const transport = await openTransport(spec, { ...options, auth })
      try {
        const connection = await connectServer(spec, { ...options, transport })
        return withLogins({ connection, transport, desk })
      } catch (error) {
        if (!(error instanceof LoginNeeded) || !desk.sent || tries >= mostLogins) throw error
        await finish(transport, desk)
      }
    }
  } catch (error) {
    callback.close()
    throw error
  }
}

interface Open {
  readonly connection: ServerConnection
  readonly transport: Transport
  readonly desk: Desk
}

function withLogins({ connection, transport, desk }: Open): ServerConnection {
  return {
    listing: connection.listing,
    async ask(asked: McpAsk, how: AskOptions): Promise<McpAnswer> {
      for (let tries = 0; ; tries += 1) {
        const answer = await connection.ask(asked, how)
        if (!('trouble' in answer) || !desk.sent || tries >= mostLogins) return answer
        await finish(transport, desk)
      }
    },
    async close() {
      desk.callback.close()
      await connection.close()
    },
  }
}

async function finish(transport: Transport, desk: Desk): Promise<void> {
  const code = await desk.callback.code(desk.signal)
  desk.sent = false
  await (transport as StreamableHTTPClientTransport).finishAuth(code)
}
