import type { Readable } from 'node:stream'
import { failure, type Failure } from '../../../protocol/conversation/failure.ts'
import type { AssistantMessage } from '../../../protocol/conversation/message.ts'
import type { AnswerDelta, ModelEvent, ModelRequest } from '../../../protocol/models/model.ts'
import { parseJson } from '../../fs/parse-json.ts'
import type { Concession } from './concessions.ts'
import { withOwnIds } from './call-ids.ts'
import { contentOf, cutCallIn, hasLostCall, partsOf, sizeOf, type AnswerReader } from './draft.ts'
import { bodyFailure, failureOf, placed, redacted, type ServerPlace } from '../http/failure-of.ts'
import { inOwnWords } from './tool-names.ts'
import { tooLate } from '../http/wire.ts'
import { nextPass } from '../http/next-pass.ts'
import { eventCutter, isBeginning } from '../http/sse.ts'

/** News that sending a request brought, beside its answer. */
export interface Notes {
  /** Features that were given up for the server. */
  readonly conceded: Concession[]
  /** The vendor's own name for the request. */
  request_id?: string
  /** The key that it was sent with. */
  key?: string
}

/** One request to a server and the answer that its stream is gathered in. */
export interface Exchange {
  /** `provider/model`, as the message names it. */
  readonly name: string
  /** The vendor whose foreign blocks the answer may hold. */
  readonly vendor: string
  /** Texts that no failure may show. */
  readonly secrets: readonly string[]
  readonly request: ModelRequest
  /** The place of the server. */
  readonly server?: ServerPlace
  readonly answer: AnswerReader
  /** Takes what is learned of the request while it is sent. */
  readonly notes?: Notes
  /** Takes a key that the server does not take, with whatever status and at whatever place it says so. */
  refused?(key: string): void
  /** How long an answer may say nothing but that it is still there. */
  readonly progressMs?: number
  /** Sends the request; the answer's body, as text. */
  open(signal: AbortSignal): Promise<Readable>
}

/**
 * Holds one conversation with a server: asks, passes on what is said while it is said, and settles.
 *
 * 1. It never throws; whatever goes wrong is the settled message's failure.
 * 2. An abort is heard before every delta and while waiting for one. Deltas of one kind that came together are one.
 * 3. An answer is whole only when the server said so; else its calls are dropped.
 * 4. An answer that came in one piece, as servers that do not stream send it, counts like one in many.
 * 5. What comes after the whole answer changes nothing, however the bytes were split.
 */
export async function* converse(exchange: Exchange, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
  const { answer } = exchange
  const { draft } = answer
  const reading: Reading = { preface: '', events: 0 }
  let body: Readable | undefined
  let unwatch = (): void => undefined
  let fault: Failure | undefined
  try {
    signal.throwIfAborted()
    body = await exchange.open(signal)
    // A connection may still fail after the last word, when nobody reads any more.
    body.on('error', () => undefined)
    unwatch = watchProgress(body, answer, exchange.progressMs)
    for await (const events of eventsIn(body, answer, reading)) {
      for (const delta of deltasIn(events, answer)) {
        yield delta
        if (signal.aborted) break
      }
      if (signal.aborted || draft.fault || draft.over) break
    }
    if (reading.events === 0 && !signal.aborted) yield* inOnePiece(answer, reading.preface)
  } catch (error) {
    fault = failureOf(error, body !== undefined)
  } finally {
    unwatch()
    // The rest of a good answer is drained, so that the connection can serve the next one.
    if (draft.over && !signal.aborted) body?.resume()
    else body?.destroy()
  }
  const unfinished = draft.whole ? undefined : (fault ?? emptiness(reading))
  const message = settle(exchange, signal, draft.fault ?? unfinished)
  yield { type: 'settled', message }
}

/** Ends an answer to which nothing was added for so long, though the server is still there; returns how to stop. */
function watchProgress(body: Readable, { draft }: AnswerReader, progressMs: number | undefined): () => void {
  if (progressMs === undefined) return () => undefined
  let size = sizeOf(draft)
  let idle = 0
  const timer = setInterval(() => {
    const before = size
    size = sizeOf(draft)
    idle = size === before ? idle + 1 : 0
    if (idle > 1) body.destroy(tooLate(`the answer did not go on for ${progressMs / 1000} s`))
  }, progressMs / 2)
  return () => clearInterval(timer)
}

interface Reading {
  /** The text before the first event: the words of a server that does not stream. */
  preface: string
  /** The number of events so far. */
  events: number
}

/** An answer in one piece may be as long as answers are; more than this is not read. */
const longestPreface = 16 * 1024 * 1024
/** Characters of an answer with all its events: many times what the longest one has. */
const longestBody = 256 * 1024 * 1024

/** The events of each piece of the body, together; many bodies are read in step. Leaving early leaves the body open. */
async function* eventsIn(
  body: Readable,
  { dataOf }: AnswerReader,
  reading: Reading,
): AsyncGenerator<readonly string[], void, undefined> {
  const cutter = eventCutter(dataOf)
  let size = 0
  for await (const piece of body.iterator({ destroyOnReturn: false })) {
    await nextPass()
    const text = String(piece)
    size += text.length
    if (size > longestBody) throw new Error('the server said more than an answer can hold')
    const events = cutter.feed(text)
    reading.events += events.length
    if (reading.events === 0 && reading.preface.length < longestPreface) reading.preface += text
    yield events
  }
  const events = cutter.end()
  reading.events += events.length
  yield events
}

/** The deltas of events that came together. One that cannot be read ends them; those before it are heard. */
function* deltasIn(events: readonly string[], answer: AnswerReader): Generator<AnswerDelta, void, undefined> {
  const { draft } = answer
  let said: AnswerDelta | undefined
  try {
    for (const data of events) {
      if (draft.fault || draft.over) return
      const event = eventIn(data)
      const delta = event === undefined ? undefined : answer.take(event)
      if (said && said.type === delta?.type) said = { type: said.type, text: said.text + delta.text }
      else {
        if (said) yield said
        said = delta
      }
    }
  } finally {
    if (said) yield said
  }
}

function* inOnePiece(answer: AnswerReader, text: string): Generator<AnswerDelta, void, undefined> {
  const json = parseJson(text.replace(/^\uFEFF/, ''))
  if (typeof json !== 'object' || json === null) return
  for (const event of answer.eventsOf(json)) answer.take(event)
  for (const part of partsOf(answer.draft)) {
    if ((part.kind === 'text' || part.kind === 'thinking') && part.text !== '')
      yield { type: part.kind, text: part.text }
  }
}

/** The event in a text. The end of chat completions is no JSON, and an event that says nothing keeps a connection open. */
function eventIn(data: string): unknown {
  const text = data.trim()
  if (text === '' || text === '[DONE]') return text || undefined
  const event: unknown = JSON.parse(text)
  return typeof event === 'object' && event !== null ? event : undefined
}

function emptiness({ preface, events }: Reading): Failure {
  if (events === 0 && !isBeginning(preface) && !isCutJson(preface)) return bodyFailure(preface)
  return failure('stream_broken', 'the server ended its answer in the middle')
}

/** The beginning of an answer in one piece, or of an error. */
function isCutJson(text: string): boolean {
  return /^\s*[[{]/.test(text) && parseJson(text) === undefined
}

function settle(exchange: Exchange, signal: AbortSignal, fault: Failure | undefined): AssistantMessage {
  const { answer, name, vendor, secrets, request } = exchange
  const parts = partsOf(answer.draft)
  const advice = answer.advice?.() ?? []
  const { conceded = [], request_id, key } = exchange.notes ?? {}
  const cost_usd = answer.cost?.()
  const heard = {
    ...(advice.length === 0 ? {} : { advice }),
    ...(conceded.length === 0 ? {} : { conceded: [...conceded] }),
    ...(request_id === undefined ? {} : { request_id }),
    ...(cost_usd === undefined ? {} : { cost_usd }),
  }
  const told = { role: 'assistant' as const, model: name, usage: answer.usage(), ...heard }
  const cut = () => ({ ...told, content: contentOf(parts, vendor, 'cut') })
  if (signal.aborted && !answer.draft.whole) {
    return { ...cut(), stop: 'aborted', failure: failure('aborted', 'the request was aborted') }
  }
  if (fault?.code === 'unauthorized' && key !== undefined) exchange.refused?.(key)
  if (fault) return { ...cut(), stop: 'error', failure: redacted(placed(fault, exchange.server), secrets) }
  const refusal = answer.refusal()
  if (refusal !== undefined) return { ...cut(), stop: 'refusal', failure: failure('refused', refusal) }
  const called = parts.some(({ kind }) => kind === 'call')
  const stop = answer.stop(called)
  // Where a call was announced and nothing at all came, it was lost on the way.
  if (hasLostCall(parts, stop) || (stop === 'tools' && cut().content.length === 0 && !called)) {
    return { ...cut(), stop: 'error', failure: failure('stream_broken', 'a tool call did not arrive whole') }
  }
  const message = { ...told, content: contentOf(parts, vendor, stop), stop, ...cutCallIn(parts, stop) }
  const repaired = answer.repaired?.(message, request)
  const whole = repaired ? { ...repaired, repaired: true as const } : message
  return inOwnWords(withOwnIds(whole, request.messages), request)
}
