import type { Model, ModelEvent, ModelRequest } from '../../protocol/models/model.ts'
import type { Failure } from '../../protocol/conversation/failure.ts'
import {
  afterAnswer,
  afterRefusal,
  afterRequest,
  unpaced,
  type RequestPace,
} from '../../rules/conversation/request-pace.ts'
import { openSlotGate, type SlotGate } from './slot-gates.ts'

/**
 * Owns the turns in which the members of a process ask one provider. Never decides whether a request is asked again.
 * 1. A provider that refused nobody for the rate of requests is asked at once, by everybody.
 * 2. After a refusal nobody asks for a while; then requests go out one by one, in the order in which they came.
 */
export interface RateGate {
  /** Resolves when a request may go out, or when nobody waits for its answer any more. */
  turn(signal: AbortSignal): Promise<void>
  sent(now: number): void
  /** @param sent when the request went out */
  answered(sent: number, failure: Failure | undefined): void
}

/** The clock by which requests wait. */
export interface GateClock {
  now(): number
  setTimeout(act: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** @example const gate = openRateGate(clock) */
export function openRateGate(clock: GateClock): RateGate {
  const queue: (() => void)[] = []
  let pace = unpaced
  let timer: unknown
  const wait = (): void => {
    clock.clearTimeout(timer)
    if (queue.length > 0) timer = clock.setTimeout(goOn, Math.max(0, pace.next - clock.now()))
  }
  const goOn = (): void => {
    if (clock.now() >= pace.next) queue.shift()?.()
    wait()
  }
  return {
    async turn(signal) {
      if (pace.distance === 0 || signal.aborted) return
      const { promise, resolve } = Promise.withResolvers<void>()
      const leave = (): void => {
        const place = queue.indexOf(resolve)
        if (place >= 0) queue.splice(place, 1)
        resolve()
        wait()
      }
      signal.addEventListener('abort', leave, { once: true })
      if (queue.push(resolve) === 1) wait()
      await promise
      signal.removeEventListener('abort', leave)
    },
    sent: (now) => void (pace = afterRequest(pace, now)),
    answered(sent, failure) {
      pace = paceAfter(pace, { sent, now: clock.now(), failure })
      if (pace.distance === 0) for (const go of queue.splice(0)) go()
    },
  }
}

function paceAfter(
  pace: RequestPace,
  { sent, now, failure }: { readonly sent: number; readonly now: number; readonly failure: Failure | undefined },
): RequestPace {
  if (failure === undefined) return afterAnswer(pace)
  if (failure.code !== 'rate_limited') return pace
  return afterRefusal(pace, { sent, now, retryAfterMs: failure.retry_after_ms })
}

/**
 * Has models keep the pace of their providers, and wait for a slot of servers that have few: all that are handed in
 * together share one gate of each kind for each provider. A model that answers by itself needs none. An event comes as
 * soon as the model has it.
 */
export function pacedModels(clock: GateClock): <Paced extends Model>(model: Paced) => Paced {
  const gates = new Map<string, { readonly gate: RateGate; readonly slots: SlotGate }>()
  return (model) => {
    if (model.deterministic === true) return model
    const [provider = ''] = model.name.split('/', 1)
    const own = gates.get(provider) ?? { gate: openRateGate(clock), slots: openSlotGate() }
    gates.set(provider, own)
    const stream: Model['stream'] = (request, signal) => paced(model, { request, signal, ...own, clock })
    return new Proxy(model, {
      get(of, key): unknown {
        if (key === 'stream') return stream
        const value: unknown = Reflect.get(of, key)
        return typeof value === 'function' ? (value.bind(of) as unknown) : value
      },
    })
  }
}

interface PacedRequest {
  readonly request: ModelRequest
  readonly signal: AbortSignal
  readonly gate: RateGate
  readonly slots: SlotGate
  readonly clock: GateClock
}

/** The events of an answer that is asked for when its turn has come. */
function paced(model: Model, { request, signal, gate, slots, clock }: PacedRequest): AsyncIterable<ModelEvent> {
  let answer: AsyncIterator<ModelEvent> | null = null
  let leave = (): void => undefined
  let sent = 0
  const heard = (event: ModelEvent | undefined): void => {
    if (event?.type !== 'settled') return
    leave()
    gate.answered(sent, event.message.failure)
  }
  const iterator: AsyncIterator<ModelEvent> = {
    async next() {
      if (answer === null) {
        const { slots: most } = (await model.capacity?.(signal)) ?? {}
        if (most !== undefined) leave = await slots.enter(most, signal)
        await gate.turn(signal)
        sent = clock.now()
        gate.sent(sent)
        answer = model.stream(request, signal)[Symbol.asyncIterator]()
      }
      const coming = answer.next()
      coming.then(
        ({ value }) => heard(value as ModelEvent | undefined),
        () => leave(),
      )
      return coming
    },
    async return() {
      leave()
      return (await answer?.return?.()) ?? { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
