import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** Where a browser comes back to after a login. */
export interface Callback {
  readonly url: string
  /** The code that the browser brought, once for each login. */
  code(signal: AbortSignal): Promise<string>
  close(): void
}

const path = '/callback'

/** The marks of an answer that belongs to the login that was begun here. */
interface ExpectedAnswer {
  readonly state: string
  /** The login server, as it names itself; null while nobody knows. */
  readonly issuer: () => string | null
}

interface Waiting extends ExpectedAnswer {
  code: PromiseWithResolvers<string>
}

/**
 * Listens on this machine for a browser that comes back from a login.
 * @param expected what it must bring along; whoever comes with anything else is turned away
 */
export async function openCallback(expected: ExpectedAnswer, port = 0): Promise<Callback> {
  const waiting: Waiting = { ...expected, code: awaited() }
  const server = createServer((request, response) => receive(waiting, request, response))
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    async code(signal) {
      const abort = (): void => waiting.code.reject(signal.reason as Error)
      signal.addEventListener('abort', abort, { once: true })
      try {
        signal.throwIfAborted()
        return await waiting.code.promise
      } finally {
        signal.removeEventListener('abort', abort)
        waiting.code = awaited()
      }
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A code that may come before anybody asks for it, or fail unheard. */
function awaited(): PromiseWithResolvers<string> {
  const code = Promise.withResolvers<string>()
  code.promise.catch(() => undefined)
  return code
}

function receive(waiting: Waiting, request: IncomingMessage, response: ServerResponse): void {
  const [status, text] = received(waiting, new URL(request.url ?? '/', 'http://127.0.0.1'))
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
}

/** Takes the code out of an address, and says what the browser is to show. */
function received({ state, issuer, code }: Waiting, { pathname, searchParams: said }: URL): readonly [number, string] {
  if (pathname !== path) return [404, 'There is nothing here.']
  if (said.get('state') !== state) return [400, 'This is not the login that was begun here.']
  // RFC 9207: a code of another login server must not be handed to this one.
  const from = said.get('iss')
  if (from !== null && issuer() !== null && from !== issuer())
    return [400, 'This answer is of another login server than the login that was begun here.']
  const given = said.get('code')
  if (given !== null) {
    code.resolve(given)
    return [200, 'Logged in. You can close this page.']
  }
  const why = said.get('error_description') ?? said.get('error') ?? 'it gave no code'
  code.reject(new Error(`the login failed: ${why}`))
  return [400, `The login failed: ${why}`]
}
