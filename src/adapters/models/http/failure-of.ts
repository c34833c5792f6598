import { failure, type Failure, type FailureCode } from '../../../protocol/conversation/failure.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { meaningOfError, meaningOfStatus, shorter, type Meaning } from './failure-words.ts'
import { withoutSecrets } from './redact.ts'
import { retryAfterMs, retryAt, type HeadersRead } from './retry-after.ts'
import { isError, serverErrorIn } from './server-error.ts'

const address = 'Check the base URL: it must lead to the API itself'

const remedies: Partial<Record<FailureCode, string>> = {
  unauthorized: 'Check the API key',
  not_found: '`troupe models` lists models; check name and base URL',
  connection_lost: 'Check the network and the base URL',
}

/**
 * The failure that an error of an SDK, of a socket or of a parser means.
 *
 * @param begun the answer had begun: a connection that ends then breaks a stream
 */
export function failureOf(error: unknown, begun: boolean): Failure {
  if (hasStatus(error)) return statusFailure(error)
  const cause = rootOf(error)
  if (isTimeout(error) || isTimeout(cause)) return failure('timed_out', `no answer in time: ${messageOf(cause)}`)
  if (begun) return failure('stream_broken', `the answer broke off: ${messageOf(cause)}`)
  const wrong = wrongSetting(cause)
  if (wrong) return wrong
  return withRemedy(failure('connection_lost', messageOf(cause)))
}

/** A status that is no good one, and what the server said to it, in the shape of the SDKs' own errors. */
export function refusal({ status, headers }: { readonly status: number; readonly headers: HeadersRead }, text: string) {
  const said = parseJson(text)
  const { message } = serverErrorIn(said || text || 'without a word')
  return Object.assign(new Error(`${status} ${message}`), { status, headers, ...(said ? { error: said } : {}) })
}

/** Settings that will be as wrong at the next attempt, by the error's code: what another model may do, and the cure. */
const settings: readonly (readonly [code: RegExp, meaning: FailureCode, remedy: string])[] = [
  [/^ERR_INVALID_URL$|^ERR_INVALID_PROTOCOL$/, 'not_found', 'Check the base URL: it begins with https:// or http://'],
  [/^EPROTO$|^ERR_SSL_/, 'not_found', 'Check the base URL: a server of http:// was asked over https://'],
  [/^HPE_/, 'not_found', 'Check the base URL: what listens there does not speak HTTP, or only https://'],
  [
    /CERT|UNABLE_TO_|^ERR_TLS_/,
    'not_found',
    'The certificate of the server is not trusted: NODE_EXTRA_CA_CERTS names further ones',
  ],
  [/^ERR_KEY_COMMAND$/, 'unauthorized', 'Check the command of `key`'],
  [/^ERR_CLOUD_ADDRESS$/, 'not_found', 'Set it, or `base_url`, `region` and `project` of the provider'],
  [/^ERR_CLOUD_IDENTITY$/, 'unauthorized', 'Sign in to the cloud, or name its keys'],
  [/^(ERR_)?MODULE_NOT_FOUND$/, 'not_found', 'Install the package that is named'],
  [/^ERR_PROXY_UNKNOWN$/, 'forbidden', 'Name an HTTP proxy, or the host in NO_PROXY'],
  [/^ERR_INVALID_CHAR$/, 'unauthorized', 'Check the API key: it holds a character that no header may hold'],
]

const proxyRemedy = 'Check HTTP_PROXY, HTTPS_PROXY and what the proxy wants to know'

function wrongSetting(cause: unknown): Failure | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = 'code' in cause ? String(cause.code) : ''
  if (code === 'ERR_PROXY_TUNNEL' && 'statusCode' in cause && cause.statusCode === 407)
    return failure('forbidden', messageOf(cause), { remedy: proxyRemedy, status: 407, retry: false })
  // A key with a line end: the message holds the key.
  const isHeader = cause instanceof TypeError && /invalid header value/.test(cause.message)
  const said = isHeader ? 'a header cannot hold the API key' : messageOf(cause)
  const [, meaning, remedy] = settings.find(([pattern]) => pattern.test(isHeader ? 'ERR_INVALID_CHAR' : code)) ?? []
  return meaning && failure(meaning, said, { ...(remedy === undefined ? {} : { remedy }), retry: false })
}

/** The failure in an error event inside a stream, or in an answer that is no stream. */
export function errorFailure(error: unknown): Failure {
  const said = serverErrorIn(error)
  return withRemedy(told(meaningOfError(said), said.message))
}

/** The failure in the body of a good status that is no stream at all. */
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

/** Where a server is, and which variable holds the key to it. */
export interface ServerPlace {
  /** Unknown where the client of a cloud knows it. */
  readonly address: string | undefined
  readonly keyName: string | undefined
}

/** With the server's address beside what may help: it may be the wrong one. */
export function placed(told: Failure, place: ServerPlace | undefined): Failure {
  if (place === undefined || told.remedy === undefined || told.remedy === shorter) return told
  const cure = told.code === 'unauthorized' && place.keyName ? `Check ${place.keyName}` : told.remedy
  return { ...told, remedy: place.address === undefined ? cure : `${cure} (${addressIn(place.address)})` }
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
  readonly headers?: HeadersRead
  readonly error?: unknown
  readonly message: string
}

function hasStatus(error: unknown): error is StatusError {
  return error instanceof Error && 'status' in error && typeof error.status === 'number'
}

function statusFailure(error: StatusError): Failure {
  const { status, headers } = error
  const said = serverErrorIn(error.error ?? error.message)
  const meant = told(meaningOfStatus(said, status), said.message)
  const wait = retryAfterMs(headers, said.message + said.details)
  const moment = retryAt(headers)
  const isElsewhere = status < 400 || status === 405 || (meant.code === 'invalid_request' && isPage(said.message))
  return withRemedy({
    ...meant,
    ...(isElsewhere ? { code: 'not_found' as const, remedy: address } : {}),
    ...(status === 407 ? { remedy: proxyRemedy } : {}),
    message: withStatus(meant.message, status),
    status,
    ...(wait === undefined ? {} : { retry_after_ms: wait }),
    ...(wait === undefined && moment !== undefined ? { retry_at: moment } : {}),
    ...requestNamed(headers),
    ...(headers?.get('x-should-retry') === 'false' ? { retry: false } : {}),
  })
}

/** The status stands before the words once, also where a page says it in its title and again below. */
function withStatus(message: string, status: number): string {
  const before = `${status} `
  const bare = message.startsWith(before) ? message.slice(before.length) : message
  const once = bare.replace(/^(.{3,80}?) \1(?= |$)/, '$1')
  return once.startsWith(before) ? once : before + once
}

function told({ code, remedy }: Meaning, message: string): Failure {
  return failure(code, shortened(message), remedy === undefined ? {} : { remedy })
}

function withRemedy(told: Failure): Failure {
  const remedy = told.remedy ?? remedies[told.code]
  return remedy === undefined ? told : { ...told, remedy }
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
  return /^(\d{3} )?\s*<[!?a-z]/i.test(text)
}

/** A gateway's page in one line. */
function shortened(text: string): string {
  const line = text
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return line.length > 2000 ? `${line.slice(0, 2000)}…` : line
}

/** The vendor's name for a request, as its answer says it. */
export function requestNamed(headers: HeadersRead | undefined): { readonly request_id?: string } {
  const names = ['request-id', 'x-request-id', 'x-amzn-requestid', 'apim-request-id']
  const name = names.map((each) => headers?.get(each)).find((each) => each !== undefined)
  return name === undefined ? {} : { request_id: name }
}
