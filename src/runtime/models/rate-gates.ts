import type { Failure } from '../../protocol/conversation/failure.ts'
import type { Model, ModelEvent, ModelRequest } from '../../protocol/models/model.ts'
import type { PaceEvent } from '../../protocol/models/pace-event.ts'
import { paceInMemory, type PaceLog } from '../../adapters/models/pace-log.ts'
import { isTurn } from '../../rules/conversation/request-pace.ts'
import { openSlotGate, type SlotGate } from './slot-gates.ts'

/**
 * Owns the turns in which members ask one provider: those of a process, and with one log those of several processes. Never
 * decides whether a request is asked again.
 * 1. A provider that refused nobody for the rate of requests is asked at once, by everybody.
 * 2. After a refusal nobody asks for a while; then requests go out one by one, those of one process in the order in which
 *    they came.
 */
export interface RateGate {
  /** Resolves, with the time, when a request may go out, or when nobody waits for its answer any more. */
  turn(signal: AbortSignal): Promise<number>
  /** @param sent when the request went out */
  answered(sent: number, failure: Failure | undefined): void
}

/** The clock by which requests wait. */
export interface GateClock {
  now(): number
  setTimeout(act: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

/** @example const gate = openRateGate(clock, paceInMemory()) */
export function openRateGate(clock: GateClock, log: PaceLog): RateGate {
  const queue: ((now: number) => void)[] = []
  let timer: unknown
  const wait = (): void => {
    clock.clearTimeout(timer)
    if (queue.length > 0) timer = clock.setTimeout(goOn, Math.max(0, log.pace().next - clock.now()))
  }
  const takes = (now: number): boolean => isTurn(log.pace(), now) && log.write({ type: 'sent', at: now })
  const goOn = (): void => {
    const now = clock.now()
    while (queue.length > 0 && takes(now)) queue.shift()?.(now)
    wait()
  }
  return {
    async turn(signal) {
      const now = clock.now()
      if (signal.aborted || (queue.length === 0 && takes(now))) return now
      const { promise, resolve } = Promise.withResolvers<number>()
      const leave = (): void => {
        const place = queue.indexOf(resolve)
        if (place >= 0) queue.splice(place, 1)
        resolve(clock.now())
        wait()
      }
      signal.addEventListener('abort', leave, { once: true })
      if (queue.push(resolve) === 1) wait()
      return promise.finally(() => signal.removeEventListener('abort', leave))
    },
    answered(sent, failed) {
      const event = paceEventOf(sent, failed, clock.now())
      if (event === null || (event.type === 'answered' && log.pace().distance === 0)) return
      log.write(event)
      goOn()
    },
  }
}

function paceEventOf(sent: number, failed: Failure | undefined, at: number): PaceEvent | null {
  if (failed === undefined) return { type: 'answered', at }
  const { code, retry_after_ms } = failed
  if (code !== 'rate_limited') return null
  return { type: 'refused', at, sent, ...(retry_after_ms === undefined ? {} : { retry_after_ms }) }
}

/**
 * Has models keep the pace of their providers, and wait for a slot of servers that have few: all that are handed in
 * together share one gate of each kind for each provider. A model that answers by itself needs none. An event comes as
 * soon as the model has it.
 *
 * @param logOf where the pace of a provider is kept. Default: in this process
 */
export function pacedModels(
  clock: GateClock,
  logOf: (provider: string) => PaceLog = paceInMemory,
): <Paced extends Model>(model: Paced) => Paced {
  const gates = new Map<string, { readonly gate: RateGate; readonly slots: SlotGate }>()
  return (model) => {
    if (model.deterministic === true) return model
    const [provider = ''] = model.name.split('/', 1)
    const own = gates.get(provider) ?? { gate: openRateGate(clock, logOf(provider)), slots: openSlotGate() }
    gates.set(provider, own)
    const stream: Model['stream'] = (request, signal) => paced(model, { request, signal, ...own })
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
}

/** The events of an answer that is asked for when its turn has come. */
function paced(model: Model, { request, signal, gate, slots }: PacedRequest): AsyncIterable<ModelEvent> {
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
        try {
          sent = await gate.turn(signal)
          answer = model.stream(request, signal)[Symbol.asyncIterator]()
        } catch (error) {
          leave()
          throw error
        }
      }
      const coming = answer.next()
      coming.then(
        ({ value, done }) => (done === true ? leave() : heard(value)),
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
