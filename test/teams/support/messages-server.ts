import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { modelServer, type Asked } from '../../adapters/models/support/model-server.ts'
import { heardIn } from '../../support/vendors/heard.ts'
import { streamOf } from '../../support/vendors/speech.ts'
import type { Answer } from '../scenes/scene.ts'
import { meter, type MessagesRequest } from './token-meter.ts'

export interface MessagesServer {
  readonly url: string
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly text: string }[]
  close(): Promise<void>
}

/**
 * Speaks the Messages API on loopback with answers that were written beforehand. It knows an agent by the
 * system prompt (`You are name@team`), its step by the assistant messages in the request, and bills estimated tokens.
 *
 * @param place what is taken out of the requests before they are counted: a directory whose name is not always the same
 */
export async function serveMessages(
  answers: Readonly<Record<string, readonly Answer[]>>,
  place = '',
): Promise<MessagesServer> {
  const count = meter(place)
  const { root, asked, close } = await modelServer(({ body }: Asked, response) => {
    const { agent, messages } = heardIn('anthropic', body)
    const step = messages.filter(({ role }) => role === 'assistant').length
    const answer = answers[agent]?.[step]
    if (!answer) {
      refuse(response, `no answer is written for step ${step + 1} of "${agent}"`)
      return
    }
    const { say = '', calls = [] } = answer
    const named = calls.map(({ tool, input }, index) => ({
      id: `toolu_${agent}_${step + 1}_${index + 1}`,
      name: tool,
      input,
    }))
    const usage = count(agent, body as unknown as MessagesRequest, answer)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf('anthropic', { text: say, calls: named, usage }))
  })
  return { url: root, requests: asked, close }
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
}
