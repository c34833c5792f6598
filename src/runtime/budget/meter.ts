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
export function openMeter(allowance: Allowance, price: (model: string, usage: Usage) => Promise<number | null>): Meter {
  const estimate = inputEstimate()
  let refused: Limit | null = null
  const needOf = async ({ model, request, note, aside }: MeteredCall): Promise<CallEstimate | null> => {
    // A model that takes over answers the turn; a consulted model answers none.
    const turns = aside === undefined || aside === 'escalation' ? 1 : 0
    const { max_tokens, thinking_budget = 0, last = false } = request
    const want = max_tokens ?? usualAnswer + thinking_budget
    if (!allowance.limitsAnswers) return { fixed: { usd: 0, tokens: 0, turns }, rate: 0, want, last }
    const input = estimate.of(model, request)
    const rates = allowance.limitsDollars ? await ratesOf((usage) => price(model, usage), input) : free
    if (rates === null && allowance.refusesUnpriced) return null
    if (rates === null && allowance.isNewlyUnpriced(model)) note(unpriced(`of ${model}`, ownPrices))
    noteContainer(allowance, { model, request, note })
    const { usd, rate } = rates ?? free
    return { fixed: { usd, tokens: input, turns }, rate, want, last }
  }
  return {
    async spend(call, ask) {
      const { model, request, signal, note, aside } = call
      const need = await needOf(call)
      const granted = need && (await allowance.reserve(need, signal))
      if (need === null || granted === null) return need === null ? refusedUnpriced(model) : aborted(model)
      if (granted.act === 'stop') {
        refused = granted
        note(exhausted(granted, need.last, aside))
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

const exhausted = ({ scope, unit }: Limit, last: boolean, aside?: Aside): Fact => ({
  type: 'budget.exhausted',
  scope,
  unit,
  last,
  ...(aside === undefined ? {} : { aside }),
})

/** Says once of a model that the hours of a container are not counted under a limit in dollars. */
function noteContainer(allowance: Allowance, call: Pick<MeteredCall, 'model' | 'request' | 'note'>): void {
  const { model, request, note } = call
  const isHosted = allowance.limitsDollars && request.sampling?.server_tools?.includes('code_execution') === true
  if (isHosted && allowance.isNewlyUnpriced(`${model} code_execution`)) note(unpriced(`of a container at ${model}`))
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
async function cameTo(message: AssistantMessage, { fixed }: CallEstimate, price: Parameters<typeof openMeter>[1]) {
  const { model, usage, stop, cost_usd } = message
  const answered = fixed.turns > 0 && stop !== 'error'
  const known = amountsOf({ usage, cost_usd: cost_usd ?? (await price(model, usage)) }, answered)
  if (stop !== 'aborted') return known
  return { usd: Math.max(known.usd, fixed.usd), tokens: Math.max(known.tokens, fixed.tokens), turns: fixed.turns }
}

function aborted(model: string): AssistantMessage {
  const reason = failure('aborted', 'the request was aborted while it waited for its budget')
  return { ...failedAnswer(model, reason), stop: 'aborted' }
}

function refusedUnpriced(model: string): AssistantMessage {
  const remedy = 'Say it in ~/.troupe/models.json, or write `unpriced: allow` in the budget'
  const why = `the price of ${model} is not known, and the budget refuses such models`
  return failedAnswer(model, failure('forbidden', why, { remedy }))
}

const ownPrices = '. Say it in ~/.troupe/models.json'

function unpriced(what: string, cure = ''): Fact {
  const message = `the price ${what} is not known: what it costs counts as nothing${cure}`
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
