import type { Model, ModelRequest } from '../../protocol/model.ts'
import { withConcessions } from './concessions.ts'
import { converse } from './converse.ts'
import type { Answer } from './draft.ts'
import { overOwnConnection, type Wire } from './wire.ts'

/** What a vendor's SDK is used for: signing, addressing and sending. */
interface Client {
  apiKey: string | null
  post(path: string, options: object): { asResponse(): Promise<Response> }
}

/** One vendor's API: its words for requests and for answers. */
export interface Api<Feature extends string> {
  readonly vendor: string
  readonly path: string
  /** What servers may refuse, and what a refusal of it reads like. */
  readonly refusals: Readonly<Record<Feature, RegExp>>
  answer(): Answer
  /** What beside its body a request has to say. */
  headers?(request: ModelRequest): Readonly<Record<string, string>>
  /** Whether the server can ask a model for advice, by its full name, after what it has refused. */
  advises?(model: string, conceded: ReadonlySet<Feature>): boolean
  writer(model: string): (request: ModelRequest, conceded: ReadonlySet<Feature>) => string
}

/** The way to one server. */
interface Served {
  readonly name: string
  readonly model: string
  readonly client: Client
  readonly wire: Wire
  /** Looks the key up again. */
  readonly readKey: (() => string) | undefined
}

/** A model behind a server that speaks this API. */
export function servedModel<Feature extends string>(api: Api<Feature>, served: Served): Model {
  const { name, client, readKey } = served
  const { vendor, answer } = api
  const { open, refused } = opener(api, served)
  return {
    name,
    advises: (advisor) => api.advises?.(advisor, refused()) ?? false,
    stream: (request, signal) =>
      converse(
        {
          name,
          vendor,
          secrets: [client.apiKey ?? ''],
          request,
          answer: answer(),
          open: (aborted) => open(request, aborted),
        },
        signal,
      ),
    renew() {
      const key = readKey?.() ?? ''
      if (key === '' || key === client.apiKey) return false
      client.apiKey = key
      return true
    },
  }
}

/** Sends requests, each without what the server has refused so far. */
function opener<Feature extends string>(api: Api<Feature>, { model, client, wire }: Served) {
  const writer = api.writer(model)
  const ask = withConcessions(api.refusals)
  let refused: ReadonlySet<Feature> = new Set()
  const open = async (request: ModelRequest, signal: AbortSignal) => {
    const options = {
      headers: { 'content-type': 'application/json', ...api.headers?.(request) },
      stream: true,
      signal,
      ...(request.fresh_connection ? overOwnConnection : {}),
    }
    const response = await ask({
      write(conceded) {
        refused = conceded
        return writer(request, conceded)
      },
      send: (body) => client.post(api.path, { ...options, body }).asResponse(),
    })
    return wire.bodyOf(response)
  }
  return { open, refused: () => refused }
}
