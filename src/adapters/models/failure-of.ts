import { failure, type Failure, type FailureCode } from '../../protocol/failure.ts'
import { parseJson } from '../fs/parse-json.ts'
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

/** More than a whole minute or day allows: to wait for the next one helps nobody. */
const tooLargeForRate = /request too large for .*tokens per (min|day)/is

/** What a text means, whatever status came with it; the first that matches. */
const texts: readonly Rule[] = [
  [/maximum allowed number of output tokens|supports at most \d+ (completion|output) tokens/i, 'output_exceeded'],
  [/range of max_tokens|max_tokens\W+must be less than or equal to|maxOutputTokens value of/i, 'output_exceeded'],
  [
    tooLargeForRate,
    'context_exceeded',
    'Shorten the conversation, or have the provider raise the limit of tokens per minute',
  ],
  [
    /context_length_exceeded|maximum context length|context window|available context size|context (size|length) has been exceeded|exceed context limit|exceeds? (the |this model's |max )?context/i,
    'context_exceeded',
    shorter,
  ],
  [
    /(prompt|input) (is )?too long|too many (input )?tokens|exceeds max length|exceeded model token limit|maximum prompt length|maximum input length|maximum allowed token size|max_new_tokens. must be <=|must have less than \d+ tokens|range of input length|reduce the length of the (messages|prompt)/i,
    'context_exceeded',
    shorter,
  ],
  [
    /token count.*(exceeds the (maximum|limit)|supports only up to)|input tokens exceed|(longer|greater) than the (model's context length|context length|maximum model length)|context length of only/i,
    'context_exceeded',
    shorter,
  ],
  [
    /credit balance|insufficient_quota|insufficient (credits|balance|funds)|exceeded your current quota|billing_error|payment required/i,
    'forbidden',
    billing,
  ],
  // Gemini says 400 to a wrong key, and OpenRouter to a model that it does not know.
  [/(incorrect|invalid) api key|api key not valid|api_key_invalid/i, 'unauthorized'],
  [/not a valid model|model_not_found/i, 'not_found'],
  [/content management policy|content_filter|ResponsibleAIPolicy/i, 'refused'],
  [/overloaded/i, 'overloaded'],
]

const kinds: readonly Rule[] = [
  [/policy_violation/, 'refused'],
  [/image/, 'invalid_request'],
  [/rate_limit|too_many_requests|resource_exhausted/i, 'rate_limited'],
  [/unavailable/i, 'overloaded'],
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
  407: 'forbidden',
  408: 'timed_out',
  409: 'server_error',
  413: 'context_exceeded',
  425: 'server_error',
  429: 'rate_limited',
  503: 'overloaded',
  529: 'overloaded',
}

const address = 'Check the base URL: it must lead to the API itself'

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
  const other = otherProtocol(cause)
  if (other) return failure('connection_lost', messageOf(cause), { remedy: other, retry: false })
  return withRemedy(failure('connection_lost', messageOf(cause)))
}

/** A status that is no good one, and what the server said to it, in the shape of the SDKs' own errors. */
export function refusal({ status, headers }: { readonly status: number; readonly headers: Headers }, text: string) {
  const said = parseJson(text)
  const { message } = serverErrorIn(said || text || 'without a word')
  return Object.assign(new Error(`${status} ${message}`), { status, headers, ...(said ? { error: said } : {}) })
}

const protocols: readonly (readonly [RegExp, string])[] = [
  [/^EPROTO$|^ERR_SSL_/, 'Check the base URL: a server of http:// was asked over https://'],
  [/^HPE_/, 'Check the base URL: what listens there does not speak HTTP, or only https://'],
  [/CERT|UNABLE_TO_|^ERR_TLS_/, 'The certificate of the server is not trusted: NODE_EXTRA_CA_CERTS names further ones'],
]

/** A server that speaks something else will do so at the next attempt, too. */
function otherProtocol(cause: unknown): string | undefined {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return protocols.find(([pattern]) => pattern.test(code))?.[1]
}

/** What an error event inside a stream, or an answer that is no stream, says. */
export function errorFailure(error: unknown): Failure {
  return withRemedy(classified(serverErrorIn(error), 'server_error'))
}

/** What the body of a good status says that is no stream at all. */
export function bodyFailure(text: string): Failure {
  const json = parseJson(text)
  if (isError(json)) return errorFailure(json)
  return failure(
    isPage(text) ? 'not_found' : 'invalid_request',
    `the server did not stream but said: ${shortened(text)}`,
    {
      remedy: address,
    },
  )
}

/**
 * An error in the place of an answer: wrapped, in a list (Gemini), called so (older vLLM, gateways to Anthropic), or
 * nothing but a message with the code of a bad status.
 */
export function isError(said: unknown): said is object {
  if (typeof said !== 'object' || said === null) return false
  if (Array.isArray(said)) return isError(said[0])
  const { error, object, type, message, code } = said as Readonly<Record<string, unknown>>
  if (Boolean(error) || object === 'error' || type === 'error') return true
  return typeof message === 'string' && Number(code) >= 400
}

/** Where a server is, and which variable holds the key to it. */
export interface ServerPlace {
  readonly address: string
  readonly keyName: string | undefined
}

/** With the server's address beside what may help: it may be the wrong one. */
export function placed(told: Failure, place: ServerPlace | undefined): Failure {
  if (place === undefined || told.remedy === undefined || told.remedy === shorter) return told
  const cure = told.code === 'unauthorized' && place.keyName ? `Check ${place.keyName}` : told.remedy
  return { ...told, remedy: `${cure} (${addressIn(place.address)})` }
}

/** Without a password or a token that may stand in it. */
function addressIn(address: string): string {
  const { origin, pathname } = URL.parse(address) ?? { origin: address, pathname: '' }
  return origin + pathname
}

/** Without the secrets, should a server have repeated one. */
export function redacted(told: Failure, secrets: readonly string[]): Failure {
  const message = withoutSecrets(told.message, secrets)
  const remedy = told.remedy === undefined ? {} : { remedy: withoutSecrets(told.remedy, secrets) }
  return message === told.message && remedy.remedy === told.remedy ? told : { ...told, message, ...remedy }
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
  const isElsewhere = status < 400 || (told.code === 'invalid_request' && isPage(said.message))
  return withRemedy({
    ...told,
    ...(isElsewhere ? { code: 'not_found' as const, remedy: address } : {}),
    ...(status === 407 ? { remedy: 'Check HTTP_PROXY, HTTPS_PROXY and what the proxy wants to know' } : {}),
    message: told.message.startsWith(`${status} `) ? told.message : `${status} ${told.message}`,
    status,
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
    ...(headers?.get('x-should-retry') === 'false' ? { retry: false } : {}),
  })
}

function classified({ message, kind }: ServerError, fallback: FailureCode, status?: number): Failure {
  // "Too many tokens" with 429 is a rate, not a length.
  const isRate = status === 429 && !tooLargeForRate.test(message)
  const fits = (code: FailureCode): boolean => !isRate || code !== 'context_exceeded'
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
  const kind = [fields['type'], fields['code'], fields['status']]
    .filter((value) => value !== null && value !== undefined)
    .map(String)
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

/** A page for people: who sends one is not the API. */
function isPage(text: string): boolean {
  return /^(\d{3} )?\s*</.test(text)
}

/** A gateway's page in one line. */
function shortened(text: string): string {
  const line = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 2000 ? `${line.slice(0, 2000)}…` : line
}
