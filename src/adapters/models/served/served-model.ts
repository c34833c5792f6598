import type { Model, ModelRequest } from '../../../protocol/models/model.ts'
import { withConcessions, type Concession } from './concessions.ts'
import { converse, type Notes } from './converse.ts'
import { counting, type TokenCounter } from './count-tokens.ts'
import type { AnswerReader } from './draft.ts'
import { mayChange } from './cloud-identity.ts'
import { imageView } from './image-view.ts'
import { bodyOf, type Sender } from './send-request.ts'
import { waitsOf, type ServerOptions, type ServerWaits } from './server-options.ts'

/** A client of a vendor's SDK: it addresses, authenticates and sends each request over the wire that it was given. */
export interface Client extends Sender {
  apiKey: string | null
  /** True for a client that takes bodies apart to sign them. */
  readonly wholeBodies?: boolean
}

type Named = Readonly<Record<string, string>>

/** One vendor's API: its words for requests and for answers. */
export interface Api<Feature extends string> {
  readonly vendor: string
  readonly path: string
  /** Features that servers may refuse, and the pattern of each refusal. */
  readonly refusals: Readonly<Record<Feature, RegExp>>
  /** Names of those features that people miss. */
  readonly names: Readonly<Partial<Record<Feature, string>>>
  /** @param refused the features that the server has refused so far */
  answer(refused: () => ReadonlySet<Feature>): AnswerReader
  /** Headers of this API beside those of the SDK. */
  headers?(request: ModelRequest): Named | undefined
  /** Whether the server can ask a model for advice, by its full name, after what it has refused. */
  advises?(model: string, conceded: ReadonlySet<Feature>): boolean
  /** Wishes of a request that nobody can express in this API. */
  lacks?(request: ModelRequest): readonly Concession[]
  writer(model: string): (request: ModelRequest, conceded: ReadonlySet<Feature>) => string
  /** Absent where a server answers and does not count. */
  readonly counter?: TokenCounter | undefined
}

/** A model's name at its server, and the way to the client that reaches it: the SDK is loaded for the first request. */
interface Served extends ServerOptions {
  connect(): Promise<Client>
}

/** A model behind a server that speaks this API. */
export function servedModel<Feature extends string>(api: Api<Feature>, name: string, served: Served): Model {
  const { credential, baseURL } = served
  const { keyName } = credential
  const waits = waitsOf(served)
  const secrets: string[] = []
  const { open, count, refused } = opener(api, served, { waits, secrets })
  return {
    name,
    advises: (advisor) => api.advises?.(advisor, refused()) ?? false,
    stream(request, signal) {
      const { vendor, answer } = api
      const { progressMs } = waits
      const notes: Notes = { conceded: [] }
      return converse(
        {
          name,
          vendor,
          secrets,
          request,
          server: { address: baseURL, keyName },
          answer: answer(refused),
          open: open(request, notes),
          notes,
          refused: (key) => credential.refused(key),
          progressMs,
        },
        signal,
      )
    },
    renew: async () => mayChange(served) || credential.renew(),
    ...(count === null ? {} : { count }),
  }
}

interface Opening {
  readonly waits: ServerWaits
  /** Takes the keys that were sent. */
  readonly secrets: string[]
}

/** The way to a client that has the key of this moment. */
function connector(served: Served, secrets: string[]) {
  let connected: Promise<Client> | undefined
  return async () => {
    const key = await served.credential.read()
    const client = await (connected ??= served.connect())
    // Without a key the client signs by itself, or sends a word.
    if (key !== '') client.apiKey = key
    if (!secrets.includes(key)) secrets.push(key)
    return { client, key }
  }
}

/** Sends requests, each without the features that the server has refused so far. */
function opener<Feature extends string>(api: Api<Feature>, served: Served, { waits, secrets }: Opening) {
  const writer = api.writer(served.model)
  const ask = withConcessions(api.refusals, api.names)
  const images = imageView()
  const connect = connector(served, secrets)
  let refused: ReadonlySet<Feature> = new Set()
  const lacking = new Set<string>()
  const headersOf = (request: ModelRequest): Named => ({
    'content-type': 'application/json',
    ...api.headers?.(request),
  })
  const write = (request: ModelRequest, without: ReadonlySet<Feature>): string =>
    writer({ ...request, messages: images.seen(request.messages, without) }, without)
  const open = (request: ModelRequest, notes: Notes) => async (signal: AbortSignal) => {
    const headers = { ...headersOf(request), ...(request.fresh_connection ? { connection: 'close' } : {}) }
    const { client, key } = await connect()
    notes.key = key
    // Said once.
    const lacks = (api.lacks?.(request) ?? []).filter(({ feature }) => !lacking.has(feature))
    for (const lack of lacks) lacking.add(lack.feature)
    notes.conceded.push(...lacks)
    const { body, request_id } = await ask({
      prepare: (without) => images.prepare(request.messages, without),
      write: (without) => write(request, (refused = without)),
      tell: (change) => void notes.conceded.push(change),
      send(text) {
        const body = client.wholeBodies ? (JSON.parse(text) as object) : Buffer.from(text)
        const timeout = request.hurried ? waits.hurriedMs : waits.firstByteMs
        return bodyOf(client, { method: 'post', path: api.path, body, headers, signal }, timeout)
      },
    })
    if (request_id !== undefined) notes.request_id = request_id
    return body
  }
  const count = counting(api.counter, { connect, headersOf, write: (request) => write(request, refused) })
  return { open, count, refused: () => refused }
}
