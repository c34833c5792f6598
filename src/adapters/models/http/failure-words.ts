import type { FailureCode } from '../../../protocol/conversation/failure.ts'
import type { ServerError } from './server-error.ts'

/** The meaning of an error. */
export interface Meaning {
  readonly code: FailureCode
  readonly remedy?: string | undefined
}

type Rule = readonly [pattern: RegExp, code: FailureCode, remedy?: string]

export const shorter = 'Shorten the conversation or choose a model with a larger window'
const expired = 'The credential has expired: renew it'
const billing = 'Check plan, limits and billing with the provider'

/** More than a whole minute or day allows, or a plan: to wait for the next one helps nobody. */
const tooLargeForRate = /request too large for .*tokens per (min|day)/is
const tooLargeForPlan = /usage is required for long context/i

/** The meaning of a text, whatever status came with it; the first match counts. */
const texts: readonly Rule[] = [
  [/maximum allowed number of output tokens|supports at most \d+ (completion|output) tokens/i, 'output_exceeded'],
  [/range of max_tokens|max_tokens\W+must be less than or equal to|maxOutputTokens value of/i, 'output_exceeded'],
  [/`?max_(completion_)?tokens\b.* expected a value <= \d|maximum tokens you requested exceeds/i, 'output_exceeded'],
  // OpenRouter: the answer that was asked for costs more than there is. What is left must be worth an answer.
  [/requested up to \d+ tokens, but can only afford ([3-9]\d{3}|\d{5,})/i, 'output_exceeded'],
  [
    tooLargeForRate,
    'context_exceeded',
    'Shorten the conversation, or have the provider raise the limit of tokens per minute',
  ],
  [tooLargeForPlan, 'context_exceeded', shorter],
  // Bedrock's words for a rate look like those of others for a length.
  [/throttl|too many requests|rate[ _]?limit(?!s)|too many tokens( per|, please wait| processed)/i, 'rate_limited'],
  // Gemini calls the limit of a minute a quota, too, and says how long it lasts.
  [/exceeded your current quota.*retry in \d/is, 'rate_limited'],
  [/context[ _]?(window|length|size|limit)/i, 'context_exceeded', shorter],
  [
    /(prompt|input) (is )?too long|too many (input )?tokens|exceeds max length|exceeded model token limit|maximum (prompt|(allowed )?input) length|maximum allowed token size|max_new_tokens. must be <=|must have less than \d+ tokens|range of input length/i,
    'context_exceeded',
    shorter,
  ],
  [
    /token count.*(exceeds (the )?(maximum|limit)|only supports|supports only)|input tokens exceed|longer than the maximum model length|max_(seq|model|input)_len|more than max tokens allowed|total (message size|tokens|number of tokens)\b.* exceed/i,
    'context_exceeded',
    shorter,
  ],
  [
    /tokens?[ _]limit[ _](exceeded|reached\b)|prompt_tokens_exceeded|max_tokens must be at least 1, got -|reduce the length of the (messages|input|prompt)|tokens must be reduced|(messages|input)\[\d+\]\.(content|output|arguments)\b.*string too long/i,
    'context_exceeded',
    shorter,
  ],
  [
    /credit balance|insufficient[ _](quota|credits?|balance|funds)|exceeded[ _](your )?current[ _]quota|billing_error|payment required|arrearage|余额不足/i,
    'forbidden',
    billing,
  ],
  // Gemini says 400 to a wrong key, and OpenRouter to a model that it does not know.
  [/(incorrect|invalid)[ _]api[ _]key|api key not valid|api_key_invalid/i, 'unauthorized'],
  // AWS says 403 to a credential that was good until now, and Gemini 400. A signature that has expired is a wrong clock.
  [
    /\b(token|jwt|api[ _-]?key|credentials?)\b[^.;]{0,40}\bexpired|expired[ _-]?(security[ _-]?)?(token|api[ _-]?key|credential)/i,
    'unauthorized',
    expired,
  ],
  [
    /not a valid model|\binvalid[ _]model\b|model_not_found|model not exist|model [`'"]?[\w./:-]+[`'"]? (does not exist|has been decommissioned)|model identifier is/i,
    'not_found',
  ],
  [/organization has been restricted|user location is not supported|budget has been exceeded/i, 'forbidden'],
  // Groq refuses what its own model wrote, and LM Studio what it could not load just now.
  [/tool_use_failed|failed to call a function|tool call validation failed/i, 'stream_broken'],
  [/failed to load model/i, 'server_error'],
  [
    /content management policy|content[ _]filter|ResponsibleAIPolicy|content exists risk|inappropriate content|usage polic|(was|been) flagged|(bio_|usage_)policy|policy_violation|敏感/i,
    'refused',
  ],
  [/overloaded|over capacity|capacity[ _]exceeded/i, 'overloaded'],
]

const kinds: readonly Rule[] = [
  [/image/, 'invalid_request'],
  [/resource_exhausted/i, 'rate_limited'],
  [/unavailable/i, 'overloaded'],
  [/authentication/, 'unauthorized'],
  [/permission|data_residency/, 'forbidden'],
  [/not_found/, 'not_found'],
  [/too_large/, 'context_exceeded', shorter],
  [/invalid_request|invalid_prompt|bad_request|validation/, 'invalid_request'],
  [/timeout/i, 'timed_out'],
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
  // The model itself failed (Bedrock, TGI); what it needs did not come (OpenAI).
  424: 'server_error',
  425: 'server_error',
  429: 'rate_limited',
  451: 'forbidden',
  // Groq: no room for work that may wait.
  498: 'overloaded',
  // A proxy between us and the server gave up.
  499: 'server_error',
  503: 'overloaded',
  529: 'overloaded',
}

/** The server's meaning of an answer with this status. */
export function meaningOfStatus(error: ServerError, status: number): Meaning {
  const fallback = statuses[status] ?? (status >= 500 ? 'server_error' : 'invalid_request')
  return byText(error, status) ?? { code: fallback }
}

/**
 * The server's meaning of an error inside an answer that began well: its code may be the status that it would have
 * had.
 */
export function meaningOfError(error: ServerError): Meaning {
  const { kind } = error
  const status = Number(/(?:^|\s)([45]\d\d)(?:\s|$)/.exec(kind)?.[1])
  const byNumber = status < 500 || status in statuses ? (statuses[status] ?? 'invalid_request') : 'server_error'
  return byText(error) ?? meant(kinds.find(([pattern]) => pattern.test(kind))) ?? { code: byNumber }
}

function byText({ message, kind, details }: ServerError, status?: number): Meaning | undefined {
  // "Too many tokens" with 429 is a rate, not a length.
  const isRate = status === 429 && !tooLargeForRate.test(message) && !tooLargeForPlan.test(message)
  const isDaily = /PerDay/.test(details)
  const fits = (code: FailureCode): boolean =>
    (!isRate || code !== 'context_exceeded') && (!isDaily || code !== 'rate_limited')
  return meant(texts.find(([pattern, code]) => fits(code) && (pattern.test(message) || pattern.test(kind))))
}

function meant(rule: Rule | undefined): Meaning | undefined {
  return rule && { code: rule[1], remedy: rule[2] }
}
