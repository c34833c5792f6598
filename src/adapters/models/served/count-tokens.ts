import type { ModelRequest } from '../../../protocol/models/model.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { textIn } from '../http/wire.ts'
import { bodyOf, type Sender } from './send-request.ts'

export type Json = Readonly<Record<string, unknown>>

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
  readonly client: Sender & { readonly wholeBodies?: boolean }
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/**
 * The tokens of a request, as its server counts them.
 * @param text the request as it would be sent
 * @throws what the server said, or that it was silent for too long
 */
export async function countTokens(counter: TokenCounter, text: string, asked: Counting): Promise<number | null> {
  const { client, headers, signal } = asked
  const post: Post = async (path, body) => {
    const sent = client.wholeBodies === true ? body : Buffer.from(JSON.stringify(body))
    const answer = await bodyOf(client, { method: 'post', path, body: sent, headers, signal }, countMs)
    return objectIn(parseJson(await textIn(answer.body)))
  }
  const tokens = await counter(objectIn(parseJson(text)), post)
  return typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : null
}

function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {}
}

/** Failures after which a server is not asked to count any more. */
const mostFailures = 3

type Count = (request: ModelRequest, signal: AbortSignal) => Promise<number | null>

/** A server that does not count is no failure: nobody asks for long. */
export function untilItFails(count: Count): Count {
  let failures = 0
  return async (request, signal) => {
    if (failures >= mostFailures) return null
    const tokens = await count(request, signal).catch(() => null)
    if (tokens === null && !signal.aborted) failures += 1
    return tokens
  }
}
