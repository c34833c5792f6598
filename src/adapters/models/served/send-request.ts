import { Readable } from 'node:stream'
import { refusal, requestNamed } from '../http/failure-of.ts'
import { silence, textIn, type WireResponse } from '../http/wire.ts'

/** One request, before the SDK has addressed and authenticated it. */
interface Unsigned {
  readonly method: 'get' | 'post'
  readonly path: string
  /** Bytes: a text would stay in memory, in one piece, until the answer begins. */
  readonly body?: Uint8Array | object
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

interface Sent {
  readonly body: Readable
  readonly request_id?: string
}

/** The part of a vendor's SDK that prepares a request and sends it; what it does with an answer is left out. */
export interface Sender {
  buildRequest(request: Unsigned): Promise<{ readonly req: RequestInit; readonly url: string }>
  fetchWithTimeout(
    url: string,
    req: RequestInit,
    ms: number,
    stop: AbortController,
    request: Unsigned,
  ): Promise<Response>
}

/**
 * Sends a request as the SDK prepares it.
 *
 * @param timeout how long the server may take to begin its answer, in milliseconds
 * @returns the body of a good answer, and the vendor's name for the request
 * @throws what the server said to any other status, or the connection that broke or was silent for too long
 */
export async function bodyOf(client: Sender, request: Unsigned, timeout: number): Promise<Sent> {
  const { req, url } = await client.buildRequest(request)
  const stop = new AbortController()
  try {
    const response: unknown = await client.fetchWithTimeout(url, req, timeout, stop, request)
    const { status, headers, stream } = response instanceof Response ? ofWeb(response) : (response as WireResponse)
    const heads = new Map(Object.entries(headers).map(([name, value]) => [name, String(value)] as const))
    if (status >= 200 && status < 300) return { body: stream, ...requestNamed(heads) }
    throw refusal({ status, headers: heads }, await textIn(stream))
  } catch (error) {
    throw stop.signal.aborted && !request.signal?.aborted ? silence(timeout) : error
  }
}

/** The answer of a client that reads its server's own framing. */
function ofWeb(response: Response): WireResponse {
  const body = response.body ? Readable.fromWeb(response.body) : Readable.from([])
  return { status: response.status, headers: Object.fromEntries(response.headers), stream: body.setEncoding('utf8') }
}
