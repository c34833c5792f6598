import { longestMessage } from './longest-message.ts'

interface Times {
  /** For an answer that is no stream, and for one that is, in milliseconds. */
  readonly timeout: number
  readonly patience: number
  giveUp(): void
}

/**
 * The same answer with a body that ends: it fails when it holds more than a message may, or comes too slowly. Of a stream
 * of events each may be so long.
 *
 * @param times null for a stream that may stay open
 */
export function boundedBody(response: Response, times: Times | null): Response {
  const { body, status, statusText, headers } = response
  if (body === null) return response
  const isStream = headers.get('content-type')?.startsWith('text/event-stream') === true
  const timer = times && setTimeout(times.giveUp, isStream ? times.patience : times.timeout)
  const measure = isStream ? lengthOfEvent() : lengthOfAll()
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  const end = (): void => clearTimeout(timer ?? undefined)
  const bounded = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        end()
        throw error
      })
      if (done) {
        end()
        controller.close()
      } else if (measure(value) > longestMessage) {
        end()
        void reader.cancel().catch(() => undefined)
        throw new Error(`its answer is longer than ${longestMessage} bytes`)
      } else controller.enqueue(value)
    },
    async cancel(reason) {
      end()
      await reader.cancel(reason)
    },
  })
  return new Response(bounded, { status, statusText, headers })
}

type Measure = (bytes: Uint8Array) => number

function lengthOfAll(): Measure {
  let length = 0
  return (bytes) => (length += bytes.length)
}

/** Since the last empty line, which ends an event. */
function lengthOfEvent(): Measure {
  let length = 0
  let last = ''
  return (bytes) => {
    const text = last + Buffer.from(bytes).toString('latin1')
    const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\n\r\n'), text.lastIndexOf('\r\r'))
    length = end === -1 ? length + bytes.length : text.length - end
    last = text.slice(-2)
    return length
  }
}
