import type { Fact } from '../../protocol/facts/fact.ts'
import { failure, type Failure } from '../../protocol/conversation/failure.ts'
import { failedAnswer, isBlank, noUsage, type AssistantMessage } from '../../protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../protocol/models/model.ts'
import { answerLength, type ModelSizes } from '../../rules/conversation/answer-length.ts'
import {
  blamesServer,
  isGone,
  lateFailure,
  mayFallBack,
  remedyFor,
  type Remedy,
  timed,
  type RetryLimits,
  type Trouble,
} from '../../rules/team/retry-policy.ts'
import { tokensOf } from '../../projections/cost/cost.ts'
import type { Pause } from '../../projections/member/agent-story.ts'
import type { Meter } from '../budget/meter.ts'
import type { Clock } from '../actors/clock.ts'
import type { Pricing } from '../models/pricing.ts'
import { askModel, type Listening } from './ask-model.ts'
import type { Breakers } from './breakers.ts'
import { endPause, pause, wait } from './pause.ts'

/** Parts of recovery. Shared parts come from the run, `paused` from the member's journal. */
interface RecoveryOptions {
  /** The model that answers, and its stand-ins, in this order. */
  readonly models: readonly Model[]
  /** A model that the agent may turn to; the first of the others goes on when this one is given up. */
  readonly stronger?: Model
  readonly limits: RetryLimits
  readonly clock: Clock
  readonly breakers: Breakers
  /** Dollars of an attempt, or null when nobody knows. */
  readonly price: Pricing['price']
  readonly sizes: Pricing['sizes']
  /** Sets aside what an attempt may cost; absent where nothing is limited. */
  readonly meter?: Pick<Meter, 'spend'>
  /** A pause, and the trouble behind it, that an earlier life of this member did not see the end of. */
  readonly paused: Pause
}

/** One request of a loop. */
interface RecoveryCall extends Listening {
  readonly turn: number
  /** The model that is to answer: a name of the list. */
  readonly model: string
  /** The model that goes on when the budget has no room for that one. */
  readonly instead?: string
  /** Records what was done, before it is done. */
  readonly note: (fact: Fact) => void
}

export type Recovered =
  | { readonly kind: 'settled'; readonly message: AssistantMessage }
  | { readonly kind: 'fallback'; readonly model: string }

/**
 * Asks models and recovers from what goes wrong: the middleware around any model.
 *
 * 1. An answer that succeeds at once passes straight through: nothing is added to it or to its deltas.
 * 2. What may help is decided by `rules/team/retry-policy.ts`; here it is only done, and stated as a fact first.
 * 3. An attempt that failed leaves nothing behind: listeners are told that what they heard is void.
 * 4. An abort ends every wait at once.
 */
export interface Recovery {
  ask(request: ModelRequest, asking: RecoveryCall): Promise<Recovered>
}

/** @param parts who answers, how far to go, and the clock to wait on */
export function withRecovery(parts: RecoveryOptions): Recovery {
  /** Limits of output that servers have named, by model. */
  const caps = new Map<string, number>()
  const told = new Set<string>()
  return {
    async ask(request, asking) {
      const chain = asking.model === parts.stronger?.name ? [parts.stronger, ...parts.models] : parts.models
      const place = Math.max(
        0,
        chain.findIndex(({ name }) => name === asking.model),
      )
      const model = chain[place]
      if (!model) throw new Error('a recovery needs a model')
      const next = chain[place + 1]
      await endPause(parts, asking)
      const length = answerLength(request, cappedSizes(parts.sizes(model.name), caps.get(model.name)))
      const attempts = { parts, asking, caps, told, model, next, most: length?.most ?? null }
      return recover(attempts, {
        ...request,
        ...(length === null ? {} : { max_tokens: length.first }),
        ...(next === undefined ? {} : { hurried: true }),
      })
    },
  }
}

interface Attempts {
  readonly parts: RecoveryOptions
  readonly asking: RecoveryCall
  readonly caps: Map<string, number>
  /** Models whose answers were repaired: that is said once. */
  readonly told: Set<string>
  readonly model: Model
  /** The stand-in for this model when it is given up. */
  readonly next: Model | undefined
  /** The longest answer that this model may give; null where nobody knows. */
  readonly most: number | null
}

async function recover(attempts: Attempts, first: ModelRequest): Promise<Recovered> {
  const { parts, asking, model } = attempts
  const since = parts.paused.since ?? parts.clock.now()
  const story: Story = { request: first, since, renewed: false, silent: false, heard: false, sent: undefined }
  for (let count = 1; ; count += 1) {
    const message = await attempt(attempts, story)
    const flaw = cutting(attempts, story, message) ?? silence(story, message)
    const told = (message.failure && timed(message.failure, parts.clock.now())) ?? flaw?.told
    if (told === undefined || message.stop === 'aborted' || asking.signal.aborted) return { kind: 'settled', message }
    const remedy = flaw?.remedy ?? remedyFor(troubleOf(attempts, story, { told, count }), parts.limits)
    if (remedy.act === 'give_up' || model.deterministic === true) return givenUp(attempts, message, told)
    const helped = await apply(attempts, { remedy, story, message, told, count })
    if (!helped)
      return asking.signal.aborted ? { kind: 'settled', message: stopped(message) } : givenUp(attempts, message, told)
  }
}

function troubleOf({ parts, next }: Attempts, story: Story, { told, count }: Pick<Step, 'told' | 'count'>): Trouble {
  return {
    failure: told,
    attempts: count,
    since: story.since,
    now: parts.clock.now(),
    background: story.request.background === true,
    max_tokens: story.request.max_tokens,
    stands_in: next !== undefined,
    renewed: story.renewed,
    chance: parts.clock.random?.() ?? 0.5,
  }
}

/** An answer that is no failure of its server, and yet is asked for again. */
interface Flaw {
  readonly told: Failure
  readonly remedy: Remedy
}

/** State that changes from attempt to attempt. */
interface Story {
  request: ModelRequest
  readonly since: number
  renewed: boolean
  /** An answer without a word was asked for again. */
  silent: boolean
  /** True when deltas were published that a failure makes void. */
  heard: boolean
  /** The longest answer that the latest attempt asked for. */
  sent: number | undefined
}

async function attempt({ parts, asking, told, model, next }: Attempts, story: Story): Promise<AssistantMessage> {
  const { note } = asking
  const left = parts.breakers.admit(model.name, note)
  if (left !== null) {
    const why = `${model.name} failed several times in a row and is left alone for a while`
    const retry = next === undefined ? {} : { retry: false }
    return failedAnswer(model.name, failure('overloaded', why, { retry_after_ms: left, ...retry }))
  }
  const { signal, hear, instead } = asking
  const began = (): void => void (story.heard = true)
  const ask = (request: ModelRequest) => {
    story.sent = request.max_tokens
    return askModel(model, request, { signal, hear, began })
  }
  const aside = instead === undefined ? {} : ({ aside: 'escalation' } as const)
  const call = { model: model.name, request: story.request, signal, note, ...aside }
  const {
    conceded = [],
    repaired,
    ...message
  } = await (parts.meter ? parts.meter.spend(call, ask) : ask(story.request))
  for (const change of conceded) note({ type: 'model.conceded', turn: asking.turn, model: model.name, ...change })
  if (repaired && !told.has(model.name)) noteRepair(model.name, note)
  if (repaired) told.add(model.name)
  parts.breakers.report(model.name, outcomeOf(message), note)
  return message
}

/** Tells of a server that does not tell apart what its model says. */
function noteRepair(model: string, note: RecoveryCall['note']): void {
  const message = `${model} wrote thinking or calls into its text, and they were taken out: its server could tell them apart`
  note({ type: 'warning.raised', code: 'inline_words', message })
}

/**
 * The trouble with an answer that was cut off where its model could have written more; the same answer is asked for once
 * more, as long as it may get. One that the budget kept short is not.
 */
function cutting({ most }: Attempts, story: Story, { stop, usage }: AssistantMessage): Flaw | undefined {
  const { max_tokens } = story.request
  if (stop !== 'max_tokens' || most === null || max_tokens === undefined) return undefined
  if (story.sent !== max_tokens || max_tokens >= most) return undefined
  const why = `the answer was cut off at ${usage.output} tokens: it is asked for again, longer`
  return { told: failure('output_exceeded', why), remedy: { act: 'lengthen', max_tokens: most } }
}

/** The trouble with an answer that says nothing at all: it is asked for once more. Local servers often give one. */
function silence(story: Story, message: AssistantMessage): Flaw | undefined {
  if (story.silent || story.request.last === true || message.stop !== 'end' || !isBlank(message)) return undefined
  story.silent = true
  const told = failure('no_answer', 'the model ended its answer without a word: it is asked again')
  return { told, remedy: { act: 'retry', delay_ms: 0 } }
}

function outcomeOf({ failure: told, stop }: AssistantMessage): 'failed' | 'succeeded' | 'given_up' {
  if (stop === 'aborted' || told?.code === 'budget_exhausted') return 'given_up'
  return told !== undefined && blamesServer(told) ? 'failed' : 'succeeded'
}

interface Step {
  readonly remedy: Exclude<Remedy, { act: 'give_up' }>
  readonly story: Story
  readonly message: AssistantMessage
  readonly told: Failure
  readonly count: number
}

/** Does what may help; false when it could not be done. */
async function apply(attempts: Attempts, { remedy, story, message, told, count }: Step): Promise<boolean> {
  const { parts, asking, caps, model } = attempts
  if (remedy.act === 'renew') {
    story.renewed = true
    if ((await model.renew?.()) !== true) return false
  }
  if ('max_tokens' in remedy) {
    story.request = { ...story.request, max_tokens: remedy.max_tokens }
    if (remedy.act === 'shrink' && told.code === 'output_exceeded') caps.set(model.name, remedy.max_tokens)
  }
  if (told.code === 'connection_lost') story.request = { ...story.request, fresh_connection: true }
  const delay_ms = 'delay_ms' in remedy ? remedy.delay_ms : 0
  asking.note({ type: 'model.retried', ...(await spent(attempts, message)), attempt: count, delay_ms, failure: told })
  if (story.heard) asking.hear({ type: 'reset', text: '' })
  story.heard = false
  if (remedy.act === 'pause') return pause(parts, asking, { until: parts.clock.now() + delay_ms, told })
  return delay_ms === 0 ? !asking.signal.aborted : wait(parts.clock, delay_ms, asking.signal)
}

function late({ clock }: RecoveryOptions, message: AssistantMessage): AssistantMessage {
  return message.failure ? { ...message, failure: lateFailure(message.failure, clock.now()) } : message
}

function hasLargerWindow(sizes: Pricing['sizes'], next: Model, model: Model): boolean {
  return (sizes(next.name).window ?? 0) > (sizes(model.name).window ?? Infinity)
}

/** The cost of a failed attempt. */
async function spent({ parts, asking, model }: Attempts, { usage, cost_usd: told }: AssistantMessage) {
  const cost_usd = await parts.price(model.name, usage, told)
  return { turn: asking.turn, model: model.name, usage, cost_usd }
}

/** The next of the list answers from now on, or the failure stands. */
async function givenUp(attempts: Attempts, message: AssistantMessage, told: Failure): Promise<Recovered> {
  const { parts, asking, model, next } = attempts
  const stood = next && { larger: hasLargerWindow(parts.sizes, next, model), onRefusal: parts.limits.on_refusal }
  if (!next || !stood || !mayFallBack(told, stood)) return { kind: 'settled', message: late(parts, message) }
  if (isGone(told) && model.deterministic !== true) parts.breakers.report(model.name, 'replaced', asking.note)
  if (tokensOf(message.usage) > 0) asking.note({ type: 'model.given_up', ...(await spent(attempts, message)) })
  asking.note({ type: 'model.fell_back', turn: asking.turn, from: model.name, to: next.name, failure: told })
  asking.hear({ type: 'reset', text: '' })
  return { kind: 'fallback', model: next.name }
}

/** The cost of the attempt before is stated already. */
function stopped(message: AssistantMessage): AssistantMessage {
  const reason = failure('aborted', 'the request was aborted while it waited')
  return { ...message, stop: 'aborted', usage: noUsage, failure: reason }
}

function cappedSizes(sizes: ModelSizes, cap = Infinity): ModelSizes {
  const max_output = Math.min(sizes.max_output ?? Infinity, cap)
  return { ...sizes, max_output: max_output === Infinity ? null : max_output }
}
