import { amountsOf } from '../../projections/cost/spending.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { failure } from '../../protocol/conversation/failure.ts'
import {
  failedAnswer,
  noUsage,
  type AssistantMessage,
  type Usage,
  type Message,
} from '../../protocol/conversation/message.ts'
import type { Aside } from '../../protocol/models/model-fact.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import { usualAnswer } from '../../rules/conversation/answer-length.ts'
import type { Amounts } from '../../rules/team/call-budget.ts'
import { limitText, type Limit } from '../../rules/team/wind-down-text.ts'
import type { Pricing } from '../models/pricing.ts'
import type { CallEstimate, Allowance } from './budgets.ts'
import type { ToolSpec } from '../../protocol/tools/tool.ts'

/** One attempt at an answer. */
interface MeteredCall {
  readonly model: string
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly note: (fact: Fact) => void
  /** The work goes on without it: another model is asked, for this. */
  readonly aside?: Aside
}

/** Lets an attempt be made when the budget has room for it; else its answer is a failure that says so. */
export interface Meter {
  spend(call: MeteredCall, ask: (request: ModelRequest) => Promise<AssistantMessage>): Promise<AssistantMessage>
  /** The limit that refused the latest attempt. */
  refusal(): Limit | null
}

/** @param price dollars of an attempt, or null when nobody knows */
export function openMeter(allowance: Allowance, price: Pricing['price']): Meter {
  const estimate = inputEstimate()
  let refused: Limit | null = null
  const needOf = async ({ model, request, note, aside }: MeteredCall): Promise<CallEstimate | UnknownPrice> => {
    // A model that takes over answers the turn; a consulted model answers none.
    const turns = aside === undefined || aside === 'escalation' ? 1 : 0
    const { max_tokens, thinking_budget = 0, last = false } = request
    const want = max_tokens ?? usualAnswer + thinking_budget
    if (!allowance.limitsAnswers) return { fixed: { usd: 0, tokens: 0, turns }, rate: 0, want, last }
    const input = estimate.of(model, request)
    const rates = allowance.limitsDollars ? await ratesOf((usage) => price(model, usage), input) : free
    const unknown = refusedPrice(allowance, { model, request, note }, rates !== null)
    if (unknown) return unknown
    const { usd, rate } = rates ?? free
    return { fixed: { usd, tokens: input, turns }, rate, want, last }
  }
  return {
    async spend(call, ask) {
      const { model, request, signal, note, aside } = call
      const need = await needOf(call)
      if ('cure' in need) return refusedUnpriced(model, need)
      const granted = await allowance.reserve(need, signal)
      if (granted === null) return aborted(model)
      if (granted.act === 'stop') {
        const { scope, unit } = (refused = granted)
        note({ type: 'budget.exhausted', scope, unit, last: need.last, ...(aside === undefined ? {} : { aside }) })
        return failedAnswer(model, failure('budget_exhausted', `${limitText(granted)} is used up`))
      }
      let came: Amounts = need.fixed
      try {
        const message = await ask(allowance.limitsAnswers ? { ...request, max_tokens: granted.max_tokens } : request)
        came = await cameTo(message, need, price)
        if (allowance.limitsAnswers) estimate.learn(model, request, message.usage)
        return message
      } finally {
        for (const near of granted.settle(came)) note({ type: 'budget.warned', ...near })
      }
    },
    refusal: () => refused,
  }
}

const free = { usd: 0, rate: 0 }

/**
 * The highest price of the request, and the price of one token of the answer, in millionths of a dollar; null without
 * a price.
 */
async function ratesOf(price: (usage: Usage) => Promise<number | null>, input: number) {
  const [plain, cached, answered] = await Promise.all([
    price({ ...noUsage, input }),
    price({ ...noUsage, cache_write: input }),
    price({ ...noUsage, input, output: 1_000 }),
  ])
  if (plain === null || cached === null || answered === null) return null
  return { usd: Math.ceil(Math.max(plain, cached) * 1_000_000), rate: (answered - plain) * 1_000 }
}

/** The cost of an attempt. The cost of an attempt that was given up is unknown: the request at least is paid for. */
async function cameTo(message: AssistantMessage, { fixed }: CallEstimate, price: Pricing['price']) {
  const { model, usage, stop, cost_usd } = message
  const answered = fixed.turns > 0 && stop !== 'error'
  const known = amountsOf({ usage, cost_usd: await price(model, usage, cost_usd) }, answered)
  if (stop !== 'aborted') return known
  return { usd: Math.max(known.usd, fixed.usd), tokens: Math.max(known.tokens, fixed.tokens), turns: fixed.turns }
}

function aborted(model: string): AssistantMessage {
  const reason = failure('aborted', 'the request was aborted while it waited for its budget')
  return { ...failedAnswer(model, reason), stop: 'aborted' }
}

/** A price that nobody knows: of what, and what a person can do. */
interface UnknownPrice {
  readonly what: string
  readonly cure: string
}

/** The uses that count as nothing under a limit of dollars: of a model without a price, and hours of a container, which no answer tells. */
function unknownPrices(model: string, { sampling }: ModelRequest, isPriced: boolean): readonly UnknownPrice[] {
  const isHosted = sampling?.server_tools?.includes('code_execution') === true
  return [
    ...(isPriced ? [] : [{ what: `of ${model}`, cure: 'Say it in ~/.troupe/models.json' }]),
    ...(isHosted ? [{ what: `of a container at ${model}`, cure: 'Leave `code_execution` out of `server_tools`' }] : []),
  ]
}

/** The price for whose lack a call is not made; what may count as nothing is warned of once. */
function refusedPrice(
  { limitsDollars, refusesUnpriced, isNewlyUnpriced }: Allowance,
  { model, request, note }: Pick<MeteredCall, 'model' | 'request' | 'note'>,
  isPriced: boolean,
): UnknownPrice | undefined {
  const unknown = limitsDollars ? unknownPrices(model, request, isPriced) : []
  if (refusesUnpriced) return unknown[0]
  for (const each of unknown) if (isNewlyUnpriced(each.what)) note(unpriced(each))
  return undefined
}

function refusedUnpriced(model: string, { what, cure }: UnknownPrice): AssistantMessage {
  const remedy = `${cure}, or write \`unpriced: allow\` in the budget`
  const why = `the price ${what} is not known, and the budget refuses what has no price`
  return failedAnswer(model, failure('forbidden', why, { remedy }))
}

function unpriced({ what, cure }: UnknownPrice): Fact {
  const message = `the price ${what} is not known: what it costs counts as nothing. ${cure}`
  return { type: 'warning.raised', code: 'unpriced_model', message }
}

/** How many tokens the requests of one member hold. */
interface InputEstimate {
  of(model: string, request: ModelRequest): number
  /** Learns from what a request really held. */
  learn(model: string, request: ModelRequest, usage: AssistantMessage['usage']): void
}

/** Of text that no model has counted yet: rather too many. */
const tokensPerByte = 0.5
/** Of text that a model has counted: a count that was lower once is not relied upon. */
const leastTokensPerByte = 0.3
/** As many bytes as a picture is worth. */
const pictureBytes = 6_400

/**
 * Estimates from what the model counted last: only what came since is guessed at, at two bytes a token. Each message
 * is measured once.
 */
function inputEstimate(): InputEstimate {
  const sizes = new WeakMap<Message | readonly ToolSpec[], number>()
  const counted = new Map<string, { readonly bytes: number; readonly tokens: number }>()
  const sizeOf = (part: Message | readonly ToolSpec[]): number => {
    const known = sizes.get(part) ?? bytesOf(part)
    sizes.set(part, known)
    return known
  }
  const bytes = ({ system, tools, messages }: ModelRequest): number =>
    messages.reduce((sum, message) => sum + sizeOf(message), Buffer.byteLength(system) + sizeOf(tools))
  return {
    of(model, request) {
      const all = bytes(request)
      const last = counted.get(model)
      if (!last) return Math.ceil(all * tokensPerByte)
      const known = Math.min(1, all / last.bytes) * last.tokens
      const fresh = Math.max(0, all - last.bytes) * tokensPerByte
      return Math.ceil(Math.max(known + fresh, all * leastTokensPerByte))
    },
    learn(model, request, { input, cache_read, cache_write }) {
      const tokens = input + cache_read + cache_write
      const [all, last] = [bytes(request), counted.get(model)]
      const most = last && all >= last.bytes ? Math.max(tokens, last.tokens) : tokens
      if (tokens > 0) counted.set(model, { bytes: all, tokens: most })
    },
  }
}

function bytesOf(part: Message | readonly ToolSpec[]): number {
  let pictures = 0
  const text = JSON.stringify(part, (key, value: unknown) => {
    if (key !== 'data' || typeof value !== 'string' || value.length <= pictureBytes) return value
    pictures += 1
    return ''
  })
  return Buffer.byteLength(text) + pictures * pictureBytes
}
