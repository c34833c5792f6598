import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { isDeeper } from '../../protocol/words/is-deeper.ts'
import { Refusal } from './refusal.ts'

/** Levels of lists and objects in a body. */
const mostLevels = 100

/** Takes bodies up to so many bytes. */
export function bounded(bytes: number): MiddlewareHandler {
  const onError = (): never => {
    throw new Refusal(413, 'too_large', 'the body is larger than this server takes')
  }
  return bodyLimit({ maxSize: bytes, onError })
}

/**
 * The JSON of a body.
 * @throws Refusal for another type (a form of another page can have three), for no JSON, and for one that is nested too deep
 */
export async function jsonOf(context: Context): Promise<unknown> {
  if (!/^application\/json\b/i.test(context.req.header('content-type') ?? ''))
    throw new Refusal(415, 'no_json', 'send a JSON object, with content-type: application/json')
  try {
    const given: unknown = await context.req.json()
    if (isDeeper(given, mostLevels)) throw new Refusal(400, 'too_deep', `the body has more than ${mostLevels} levels`)
    return given
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refusal(400, 'no_json', `the body is no JSON: ${error.message}`)
    throw error
  }
}
