import { upgradeWebSocket } from '@hono/node-server'
import type { Context } from 'hono'
import { z } from 'zod'
import type { RunEvent } from '../../protocol/facts/run-event.ts'
import { afterOf, eventText, type Feeds, type SharedFeed } from './feeds.ts'
import { Refusal } from './refusal.ts'
import { directoryOf, type Route, type RunPlace } from './route.ts'

const behind = z.strictObject({
  after: z
    .string()
    .optional()
    .describe('The id of the last fact that the reader has: the stream goes on behind that one.'),
})

/** Streams, which the server answers by itself. */
export const streamingRoutes: readonly (Route & { readonly wire: 'sse' | 'socket' })[] = [
  {
    method: 'get',
    path: '/api/runs/{run}/events',
    scope: 'read',
    summary:
      'What was and then what is, as server-sent events. `Last-Event-ID`, or `after`, goes on behind that one; 204 ends it.',
    query: behind,
    media: 'text/event-stream',
    wire: 'sse',
  },
  {
    method: 'get',
    path: '/api/runs/{run}/socket',
    scope: 'read',
    summary:
      'The same events over a WebSocket, one JSON text each; a fact has its `id` for `after`. Closed with 1000 when the run is over.',
    query: behind,
    media: 'application/json',
    wire: 'socket',
  },
]

/** A socket ends when its other side answered so many pings in a row with nothing. A slow one has time to read up to them. */
const mostUnanswered = 4

const encoder = new TextEncoder()

interface Streamed {
  readonly place: RunPlace
  readonly feeds: Feeds
  /** Milliseconds between signs of life. */
  readonly beatMs: number
}

/** Answers with the events of a run. A reader that does not read is not written to; it holds a place in the list. */
export function sseOf(context: Context, { place, feeds, beatMs }: Streamed): Response {
  const { dir, shared, after } = joined(context, place, feeds)
  if (after > 0 && shared.feed.isOver() && after >= shared.feed.latest()) {
    feeds.leave(dir)
    return new Response(null, { status: 204 })
  }
  const gone = new AbortController()
  const events = shared.feed.read({ after, signal: gone.signal })[Symbol.asyncIterator]()
  let next: Promise<IteratorResult<readonly RunEvent[]>> | null = null
  const leave = (): void => {
    if (gone.signal.aborted) return
    gone.abort()
    // Where nothing is asked for, the events stand at their `yield` and hear no signal.
    void events.return?.()
    feeds.leave(dir)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        next ??= events.next()
        const beat = Promise.withResolvers<null>()
        const timer = setTimeout(beat.resolve, beatMs, null)
        const came = await Promise.race([next, beat.promise])
        clearTimeout(timer)
        if (came !== null) next = null
        if (gone.signal.aborted) return
        if (came?.done === true) {
          leave()
          controller.close()
        } else controller.enqueue(encoder.encode(came === null ? ': beat\n\n' : sseText(came.value, shared.epoch)))
      },
      cancel: leave,
    },
    { highWaterMark: 1 },
  )
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
  return new Response(body, { headers })
}

function sseText(events: readonly RunEvent[], epoch: string): string {
  return events
    .map((event) => {
      const id = idOf(event, epoch)
      return `${id === null ? '' : `id: ${id}\n`}data: ${eventText(event)}\n\n`
    })
    .join('')
}

/** The event with the id that a later `after` names; the id of server-sent events is in their frame instead. */
function socketText(event: RunEvent, epoch: string): string {
  const id = idOf(event, epoch)
  return id === null ? eventText(event) : `{"id":"${id}",${eventText(event).slice(1)}`
}

/** Facts alone have an id: between them there is nowhere to go on from. */
function idOf({ type, seq }: RunEvent, epoch: string): string | null {
  return type === 'fact' ? `${epoch}.${seq}` : null
}

/** Answers the upgrade of a connection; what the other side says is ignored. */
export function socketOf(place: RunPlace, feeds: Feeds, beatMs: number) {
  return upgradeWebSocket((context) => {
    const dir = runOf(context, place)
    const { after } = behind.parse(context.req.query())
    const gone = new AbortController()
    const leave = (): void => gone.abort()
    return {
      onOpen(_, { raw }) {
        const shared = feeds.join(dir)
        if (shared === null) raw?.close(1013, tooMany)
        if (shared === null || raw === undefined) return
        const socket = raw as unknown as Sender
        const beating = beat(socket, beatMs)
        void speak(socket, shared, { after: afterOf(after, shared.epoch), signal: gone.signal }).finally(() => {
          clearInterval(beating)
          feeds.leave(dir)
          raw.close(1000)
        })
      },
      onClose: leave,
      onError: leave,
    }
  })
}

/** The part of a socket that says when a message is on its way, and that the other side is there. */
interface Sender {
  send(text: string, sent: (error?: Error) => void): void
  ping(): void
  on(event: 'pong', heard: () => void): void
  terminate(): void
}

/** Asks the other side for a sign of life, and ends the socket of one that gives none. */
function beat(socket: Sender, everyMs: number): NodeJS.Timeout {
  let unanswered = 0
  socket.on('pong', () => (unanswered = 0))
  return setInterval(() => {
    unanswered += 1
    if (unanswered > mostUnanswered) socket.terminate()
    else socket.ping()
  }, everyMs)
}

/** One event after the other: the next one waits until this one is on its way. */
async function speak(
  socket: Sender,
  { feed, epoch }: SharedFeed,
  from: { readonly after: number; readonly signal: AbortSignal },
): Promise<void> {
  for await (const events of feed.read(from)) {
    for (const event of events) {
      const text = socketText(event, epoch)
      const isSent = await new Promise<boolean>((resolve) => socket.send(text, (error) => resolve(!error)))
      if (!isSent) return
    }
  }
}

const tooMany = 'too many read here already; try again later'

/** A reader of a run, and the fact behind which it goes on. */
function joined(context: Context, place: RunPlace, feeds: Feeds) {
  const dir = runOf(context, place)
  const { after } = behind.parse(context.req.query())
  const shared = feeds.join(dir)
  if (shared === null) throw new Refusal(503, 'too_many_readers', tooMany)
  return { dir, shared, after: afterOf(context.req.header('last-event-id') ?? after, shared.epoch) }
}

function runOf(context: Context, place: RunPlace): string {
  return directoryOf({ place, params: { run: context.req.param('run') ?? '' } })
}
