import type { Model, ModelRequest } from '../../../protocol/models/model.ts'
import { withConcessions } from './concessions.ts'
import { converse } from './converse.ts'
import type { AnswerReader } from './draft.ts'
import { bodyOf, type Sender } from './send-request.ts'
import { waitsOf, type ServerOptions, type ServerWaits } from './server-options.ts'

/** A client of a vendor's SDK: it addresses, authenticates and sends each request over the wire that it was given. */
interface Client extends Sender {
  apiKey: string | null
  readonly baseURL: string
}

type Named = Readonly<Record<string, string>>

/** One vendor's API: its words for requests and for answers. */
export interface Api<Feature extends string> {
  readonly vendor: string
  readonly path: string
  /** Features that servers may refuse, and the pattern of each refusal. */
  readonly refusals: Readonly<Record<Feature, RegExp>>
  answer(): AnswerReader
  /** Headers of this API beside those of the SDK. */
  headers?(request: ModelRequest): Named | undefined
  /** Whether the server can ask a model for advice, by its full name, after what it has refused. */
  advises?(model: string, conceded: ReadonlySet<Feature>): boolean
  writer(model: string): (request: ModelRequest, conceded: ReadonlySet<Feature>) => string
}

/** A model's name at its server, and the client that reaches it. */
interface Served extends Omit<ServerOptions, 'env' | 'apiKey' | 'baseURL'> {
  readonly client: Client
}

/** A model behind a server that speaks this API. */
export function servedModel<Feature extends string>(api: Api<Feature>, name: string, served: Served): Model {
  const { client, readKey, keyName } = served
  const waits = waitsOf(served)
  const { open, refused } = opener(api, served, waits)
  const server = { address: client.baseURL, keyName }
  return {
    name,
    advises: (advisor) => api.advises?.(advisor, refused()) ?? false,
    stream(request, signal) {
      const { vendor, answer } = api
      const secrets = [client.apiKey ?? '']
      const { progressMs } = waits
      return converse(
        { name, vendor, secrets, request, server, answer: answer(), open: open(request), progressMs },
        signal,
      )
    },
    renew() {
      const key = readKey?.() ?? ''
      if (key === '' || key === client.apiKey) return false
      client.apiKey = key
      return true
    },
  }
}

/** Sends requests, each without the features that the server has refused so far. */
function opener<Feature extends string>(api: Api<Feature>, { model, client }: Served, waits: ServerWaits) {
  const writer = api.writer(model)
  const ask = withConcessions(api.refusals)
  let refused: ReadonlySet<Feature> = new Set()
  const open = (request: ModelRequest) => async (signal: AbortSignal) => {
    const alone = request.fresh_connection ? { connection: 'close' } : {}
    const headers = { 'content-type': 'application/json', ...alone, ...api.headers?.(request) }
    return ask({
      write(conceded) {
        refused = conceded
        return writer(request, conceded)
      },
      send: (body) =>
        bodyOf(
          client,
          { method: 'post', path: api.path, body: Buffer.from(body), headers, signal },
          request.hurried ? waits.hurriedMs : waits.firstByteMs,
        ),
    })
  }
  return { open, refused: () => refused }
}
