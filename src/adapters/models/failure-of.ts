import { failure, type Failure, type FailureCode } from '../../protocol/failure.ts'
import { withoutSecrets } from './redact.ts'
import { retryAfterMs } from './retry-after.ts'

/** What servers put into an error, whatever they wrap it in. */
interface ServerError {
  readonly message: string
  /** The vendor's own word, e.g. `overloaded_error` or `insufficient_quota`. */
  readonly kind: string
}

type Rule = readonly [pattern: RegExp, code: FailureCode, remedy?: string]

const shorter = 'Shorten the conversation or choose a model with a larger window'
const billing = 'Check plan, limits and billing with the provider'

/** What a text means, whatever status came with it; the first that matches. */
const texts: readonly Rule[] = [
  [/maximum allowed number of output tokens|supports at most \d+ (completion|output) tokens/i, 'output_exceeded'],
  [
    /prompt is too long|maximum context length|context_length_exceeded|exceeds? (the |this model's )?context|available context size|context window|(prompt|input) is too long|too many (input )?tokens|exceed context limit|token count.*exceeds the (maximum|limit)|maximum prompt length|(longer|greater) than the (model's )?context length|exceeded model token limit|exceeds max length|max_new_tokens. must be <=/i,
    'context_exceeded',
    shorter,
  ],
  [
    /credit balance|insufficient_quota|exceeded your current quota|billing_error|payment required/i,
    'forbidden',
    billing,
  ],
  [/overloaded/i, 'overloaded'],
]

const kinds: readonly Rule[] = [
  [/policy_violation/, 'refused'],
  [/image/, 'invalid_request'],
  [/rate_limit|too_many_requests/, 'rate_limited'],
  [/authentication|invalid_api_key/, 'unauthorized'],
  [/permission/, 'forbidden'],
  [/not_found/, 'not_found'],
  [/too_large/, 'context_exceeded', shorter],
  [/invalid_request|invalid_prompt|bad_request/, 'invalid_request'],
  [/timeout/, 'timed_out'],
]

const statuses: Readonly<Record<number, FailureCode>> = {
  401: 'unauthorized',
  402: 'forbidden',
  403: 'forbidden',
  404: 'not_found',
  408: 'timed_out',
  409: 'server_error',
  413: 'context_exceeded',
  425: 'server_error',
  429: 'rate_limited',
  503: 'overloaded',
  529: 'overloaded',
}

const remedies: Partial<Record<FailureCode, string>> = {
  unauthorized: 'Check the API key',
  not_found: '`troupe models` lists models; check name and base URL',
  connection_lost: 'Check the network and the base URL',
}

/**
 * What an error of an SDK, of a socket or of a parser means.
 *
 * @param begun the answer had begun: a connection that ends then breaks a stream
 */
export function failureOf(error: unknown, begun: boolean): Failure {
  if (hasStatus(error)) return statusFailure(error)
  const cause = rootOf(error)
  if (isTimeout(error) || isTimeout(cause)) return failure('timed_out', `no answer in time: ${messageOf(cause)}`)
  if (begun) return failure('stream_broken', `the answer broke off: ${messageOf(cause)}`)
  return withRemedy(failure('connection_lost', messageOf(cause)))
}

/** What an error event inside a stream, or an answer that is no stream, says. */
export function errorFailure(error: unknown): Failure {
  return withRemedy(classified(serverErrorIn(error), 'server_error'))
}

/** What the body of a good status says that is no stream at all. */
export function bodyFailure(text: string): Failure {
  const json = jsonIn(text)
  if (isError(json)) return errorFailure(json)
  return failure('invalid_request', `the server did not stream but said: ${shortened(text)}`, {
    remedy: 'Check the base URL: it must lead to the API itself',
  })
}

/** An error in the place of an answer. Older vLLM calls it so instead of wrapping it. */
export function isError(said: unknown): said is object {
  if (typeof said !== 'object' || said === null) return false
  const { error, object }: { readonly error?: unknown; readonly object?: unknown } = said
  return Boolean(error) || object === 'error'
}

/** Without the secrets, should a server have repeated one. */
export function redacted(told: Failure, secrets: readonly string[]): Failure {
  const message = withoutSecrets(told.message, secrets)
  return message === told.message ? told : { ...told, message }
}

interface StatusError {
  readonly status: number
  readonly headers?: Headers
  readonly error?: unknown
  readonly message: string
}

function hasStatus(error: unknown): error is StatusError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}

function statusFailure(error: StatusError): Failure {
  const { status, headers } = error
  const said = serverErrorIn(error.error ?? error.message)
  const told = classified(said, statuses[status] ?? (status >= 500 ? 'server_error' : 'invalid_request'), status)
  const wait = retryAfterMs(headers, said.message)
  return withRemedy({
    ...told,
    message: told.message.startsWith(`${status} `) ? told.message : `${status} ${told.message}`,
    status,
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
    ...(headers?.get('x-should-retry') === 'false' ? { retry: false } : {}),
  })
}

function classified({ message, kind }: ServerError, fallback: FailureCode, status?: number): Failure {
  // "Too many tokens" with 429 is a rate, not a length.
  const fits = (code: FailureCode): boolean => status !== 429 || code !== 'context_exceeded'
  const byText = texts.find(([pattern, code]) => fits(code) && (pattern.test(message) || pattern.test(kind)))
  const byKind = status === undefined ? kinds.find(([pattern]) => pattern.test(kind)) : undefined
  const [, code, remedy] = byText ?? byKind ?? []
  const byNumber = status === undefined ? numbered(kind) : undefined
  return failure(code ?? byNumber ?? fallback, shortened(message), remedy === undefined ? {} : { remedy })
}

/** Inside an answer that began well, the code of an error may be the status it would have had. */
function numbered(kind: string): FailureCode | undefined {
  const status = Number(/(?:^|\s)([45]\d\d)(?:\s|$)/.exec(kind)?.[1])
  return status < 500 || status in statuses ? (statuses[status] ?? 'invalid_request') : undefined
}

function withRemedy(told: Failure): Failure {
  const remedy = told.remedy ?? remedies[told.code]
  return remedy === undefined ? told : { ...told, remedy }
}

/** Servers say `{error: {…}}`, `[{error: {…}}]`, `{error: "…"}`, `{type: "error", error: {…}}`, `{detail: …}` or plain text. */
function serverErrorIn(said: unknown): ServerError {
  if (typeof said === 'string') return { message: said, kind: '' }
  if (Array.isArray(said)) return serverErrorIn(said[0])
  if (typeof said !== 'object' || said === null) return { message: 'the server gave no reason', kind: '' }
  const fields: Readonly<Record<string, unknown>> = { ...said }
  const inner = fields['error']
  if (typeof inner === 'object' && inner !== null) return serverErrorIn(inner)
  const message = [fields['message'], inner, fields['detail']].find((value) => typeof value === 'string')
  const kind = [fields['type'], fields['code']].filter((value) => value !== null && value !== undefined).map(String)
  return { message: typeof message === 'string' ? message : JSON.stringify(said), kind: kind.join(' ') }
}

function isTimeout(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return code === 'ETIMEDOUT' || (error instanceof Error && error.message === 'Request timed out.')
}

function rootOf(error: unknown): unknown {
  let root = error
  while (root instanceof Error && root.cause instanceof Error) root = root.cause
  return root
}

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // Every address of a host was tried: the errors are inside.
  if (error instanceof AggregateError && error.message === '') return messageOf(error.errors[0])
  return error.message === '' && 'code' in error ? String(error.code) : error.message
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A gateway's page in one line. */
function shortened(text: string): string {
  const line = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 2000 ? `${line.slice(0, 2000)}…` : line
}
