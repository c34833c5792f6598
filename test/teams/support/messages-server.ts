import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Answer } from '../scenes/scene.ts'
import { meter, type Counts } from './token-meter.ts'

/** A request as a server of the Messages API gets it, as far as this one looks. */
export interface MessagesRequest {
  readonly system?: readonly { readonly text: string }[]
  readonly tools?: readonly object[]
  readonly messages: readonly { readonly role: string; readonly content: string | readonly object[] }[]
}

export interface MessagesServer {
  readonly url: string
  readonly requests: readonly { readonly headers: IncomingHttpHeaders; readonly body: string }[]
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
  const requests: { headers: IncomingHttpHeaders; body: string }[] = []
  const count = meter(place)
  const reply = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    requests.push({ headers: request.headers, body })
    const asked = JSON.parse(body) as MessagesRequest
    const agent = /You are ([a-z0-9-]+)@/.exec(asked.system?.[0]?.text ?? '')?.[1] ?? ''
    const step = asked.messages.filter(({ role }) => role === 'assistant').length
    const answer = answers[agent]?.[step]
    if (answer) speak(response, answer, { id: `${agent}_${step + 1}`, counts: count(agent, asked, answer) })
    else refuse(response, `no answer is written for step ${step + 1} of "${agent}"`)
  }
  const server = createServer((request, response) => void reply(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Turn {
  readonly id: string
  readonly counts: Counts
}

function speak(response: ServerResponse, answer: Answer, { id, counts }: Turn): void {
  const { output_tokens, ...input } = counts
  const blocks = [
    ...(answer.say === undefined ? [] : [textBlock(answer.say)]),
    ...(answer.calls ?? []).map((call, index) => callBlock(call, `toolu_${id}_${index + 1}`)),
  ]
  const stop_reason = answer.calls?.length ? 'tool_use' : 'end_turn'
  const message = { id: `msg_${id}`, type: 'message', role: 'assistant', content: [], model: 'loopback' }
  const events = [
    { type: 'message_start', message: { ...message, stop_reason: null, usage: { ...input, output_tokens: 1 } } },
    ...blocks.flatMap(({ content_block, delta }, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ]
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
}

function textBlock(words: string) {
  return { content_block: { type: 'text', text: '' }, delta: { type: 'text_delta', text: words } }
}

function callBlock({ tool, input }: { tool: string; input: object }, id: string) {
  return {
    content_block: { type: 'tool_use', id, name: tool, input: {} },
    delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  }
}

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(400, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }))
}
