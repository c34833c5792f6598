import type { Model, ModelRequest } from '../../../protocol/models/model.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { textIn } from '../http/wire.ts'
import { bodyOf, type Sender } from './send-request.ts'

type Json = Readonly<Record<string, unknown>>

/** Sends a body to a path of a server, and reads the JSON of its answer. */
type Post = (path: string, body: object) => Promise<Json>

/**
 * One server's way to count the tokens of a request without answering it.
 * @param body the request as it would be sent
 * @returns the tokens; whatever else is no count
 */
export type TokenCounter = (body: Json, post: Post) => Promise<unknown>

/** Counts with a question of one path, which takes these fields of a request. */
export function countedAt(path: string, fields: readonly string[]): TokenCounter {
  return async (body, post) => {
    const taken = Object.entries(body).filter(([name]) => fields.includes(name))
    return (await post(path, Object.fromEntries(taken)))['input_tokens']
  }
}

/** A count is worth less than the time of an answer. In milliseconds. */
const countMs = 5_000

interface Counting {
  connect(): Promise<{ readonly client: Sender & { readonly wholeBodies?: boolean } }>
  headersOf(request: ModelRequest): Readonly<Record<string, string>>
  /** The request as it would be sent. */
  write(request: ModelRequest): string
}

/** Failures after which a server is not asked to count any more. */
const mostFailures = 3

/** Has a server count the tokens of requests; null for one that does not. One that fails to is not asked for long. */
export function counting(counter: TokenCounter | undefined, asking: Counting): NonNullable<Model['count']> | null {
  if (counter === undefined) return null
  let failures = 0
  return async (request, signal) => {
    if (failures >= mostFailures) return null
    const tokens = await counted(counter, request, { ...asking, signal }).catch(() => null)
    if (tokens === null && !signal.aborted) failures += 1
    return tokens
  }
}

async function counted(
  counter: TokenCounter,
  request: ModelRequest,
  { connect, headersOf, write, signal }: Counting & { readonly signal: AbortSignal },
): Promise<number | null> {
  const { client } = await connect()
  const headers = headersOf(request)
  const post: Post = async (path, body) => {
    const sent = client.wholeBodies === true ? body : Buffer.from(JSON.stringify(body))
    const answer = await bodyOf(client, { method: 'post', path, body: sent, headers, signal }, countMs)
    return objectIn(parseJson(await textIn(answer.body)))
  }
  const tokens = await counter(objectIn(parseJson(write(request))), post)
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}

function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}
