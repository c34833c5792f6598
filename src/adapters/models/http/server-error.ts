import { parseJson } from '../../fs/parse-json.ts'

/** The fields of a server's error, in whatever wrapping. */
export interface ServerError {
  readonly message: string
  /** The vendor's own word, e.g. `overloaded_error` or `insufficient_quota`. */
  readonly kind: string
  /** Google's further words: the limit that was met, and the time to wait. */
  readonly details: string
}

type Fields = Readonly<Record<string, unknown>>

/**
 * An error in the place of an answer: wrapped, in a list (Gemini), called so (older vLLM, gateways to Anthropic),
 * nothing but a message with the code of a bad status, or MiniMax's own status beside an answer that is none.
 */
export function isError(said: unknown): said is object {
  if (typeof said !== 'object' || said === null) return false
  if (Array.isArray(said)) return isError(said[0])
  const { error, object, type, message, msg, code, base_resp } = said as Fields
  if (Boolean(error) || object === 'error' || type === 'error') return true
  if (typeof base_resp === 'object' && base_resp !== null) return Number((base_resp as Fields)['status_code']) > 0
  return typeof (message ?? msg) === 'string' && Number(code) >= 400
}

/** Servers say `{error: {…}}`, `[{error: {…}}]`, `{error: "…"}`, `{type: "error", error: {…}}`, `{detail: …}` or plain text. */
export function serverErrorIn(said: unknown): ServerError {
  if (typeof said === 'string') return { message: said, kind: '', details: '' }
  if (Array.isArray(said)) return serverErrorIn(said[0])
  if (typeof said !== 'object' || said === null) return { message: 'the server gave no reason', kind: '', details: '' }
  const fields: Fields = { ...said }
  const inner = fields['error'] || fields['errors'] || fields['base_resp']
  if (typeof inner === 'object' && inner !== null) return serverErrorIn(inner)
  const message = wordsIn([fields['message'], inner, fields['detail'], fields['msg'], fields['status_msg']])
  const kind = [fields['type'], fields['code'], fields['status'], fields['__type']]
    .filter((value) => value !== null && value !== undefined)
    .map(String)
  return {
    message: (message ?? JSON.stringify(said)) + upstream(fields['metadata']),
    kind: kind.join(' '),
    details: JSON.stringify(fields['details'] ?? ''),
  }
}

function wordsIn(values: readonly unknown[]): string | undefined {
  return values.find((value) => typeof value === 'string')
}

/** The words of the server behind a gateway: OpenRouter itself only says that there was an error. */
function upstream(metadata: unknown): string {
  const raw = (metadata as Fields | null | undefined)?.['raw']
  if (typeof raw !== 'string' || raw === '') return ''
  return `: ${serverErrorIn(parseJson(raw) ?? raw).message}`
}
