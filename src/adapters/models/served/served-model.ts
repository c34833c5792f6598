import type { Model, ModelRequest } from '../../../protocol/models/model.ts'
import { withConcessions } from './concessions.ts'
import { converse } from './converse.ts'
import type { AnswerReader } from './draft.ts'
import { refusal } from '../http/failure-of.ts'
import { headersOf, routeTo, textIn, type Reply, type Route, type Wire } from '../http/wire.ts'

/** What a vendor's SDK is used for: signing and addressing. Both stay the same from request to request. */
interface Client {
  apiKey: string | null
  readonly baseURL: string
  buildRequest(options: { method: 'post'; path: string; headers: Named }): Promise<Built>
}

interface Built {
  readonly url: string
  readonly req: { readonly headers: Iterable<readonly [string, string]> }
}

type Named = Readonly<Record<string, string>>

/** One vendor's API: its words for requests and for answers. */
export interface Api<Feature extends string> {
  readonly vendor: string
  readonly path: string
  /** What servers may refuse, and what a refusal of it reads like. */
  readonly refusals: Readonly<Record<Feature, RegExp>>
  answer(): AnswerReader
  /** What beside its body a request has to say; the same object when it is the same. */
  headers?(request: ModelRequest): Named | undefined
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
  readonly keyName: string | undefined
}

/** A model behind a server that speaks this API. */
export function servedModel<Feature extends string>(api: Api<Feature>, served: Served): Model {
  const { name, client, readKey } = served
  const { vendor, answer } = api
  const server = { address: client.baseURL, keyName: served.keyName }
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
          server,
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
  const routeFor = routesOf(client, api.path)
  let refused: ReadonlySet<Feature> = new Set()
  const open = async (request: ModelRequest, signal: AbortSignal) => {
    const route = await routeFor(api.headers?.(request) ?? none)
    const { body } = await ask({
      write(conceded) {
        refused = conceded
        return writer(request, conceded)
      },
      send: async (text) =>
        accepted(await wire.send(route, { body: Buffer.from(text), signal, alone: request.fresh_connection })),
    })
    return body
  }
  return { open, refused: () => refused }
}

const none: Named = {}

/** What the SDK builds of a request is built once for each key and each set of headers. */
function routesOf(client: Client, path: string): (named: Named) => Promise<Route> {
  let routes = new WeakMap<Named, Promise<Route>>()
  let key = client.apiKey
  return (named) => {
    if (client.apiKey !== key) routes = new WeakMap()
    key = client.apiKey
    const route = routes.get(named) ?? builtRoute(client, path, named)
    routes.set(named, route)
    return route
  }
}

async function builtRoute(client: Client, path: string, named: Named): Promise<Route> {
  const headers = { 'content-type': 'application/json', ...named }
  const { url, req } = await client.buildRequest({ method: 'post', path, headers })
  return routeTo(url, 'POST', req.headers)
}

async function accepted(reply: Reply): Promise<Reply> {
  const { status, headers, body } = reply
  if (status >= 200 && status < 300) return reply
  throw refusal({ status, headers: headersOf(headers) }, await textIn(body))
}
