import { expect, test } from 'vitest'
import { boundedBody } from '../../../src/adapters/mcp/client/bounded-body.ts'
import { longestMessage } from '../../../src/adapters/mcp/client/longest-message.ts'

test.for(['application/json', 'text/event-stream'])(
  'of a body of %s without an end a message is read',
  async (type) => {
    const piece = new Uint8Array(1 << 16)
    let read = 0
    const left = Promise.withResolvers<void>()
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        read += piece.length
        controller.enqueue(piece)
      },
      cancel: () => left.resolve(),
    })
    const { body } = boundedBody(new Response(endless, { headers: { 'content-type': type } }), null)
    let heard = 0
    const whole = async (): Promise<void> => {
      for await (const bytes of body as AsyncIterable<Uint8Array>) heard += bytes.length
    }
    await expect(whole()).rejects.toThrow(`longer than ${longestMessage} bytes`)
    await left.promise
    expect(heard).toBe(longestMessage)
    // The stream holds a piece ready, and the one that is too much was looked at.
    expect(read).toBeLessThanOrEqual(longestMessage + 2 * piece.length)
  },
)
