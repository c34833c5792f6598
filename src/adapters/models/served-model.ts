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
  const { name, model, client, wire, readKey } = served
  const { vendor, path, answer } = api
  const writer = api.writer(model)
  const ask = withConcessions(api.refusals)
  const open = async (request: ModelRequest, signal: AbortSignal) => {
    const options = {
      headers: { 'content-type': 'application/json' },
      stream: true,
      signal,
      ...(request.fresh_connection ? overOwnConnection : {}),
    }
    const response = await ask({
      write: (conceded) => writer(request, conceded),
      send: (body) => client.post(path, { ...options, body }).asResponse(),
    })
    return wire.bodyOf(response)
  }
  return {
    name,
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
