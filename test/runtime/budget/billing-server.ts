import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** A request of the Messages API, as far as this server looks. */
export interface BilledRequest {
  readonly agent: string
  /** How often this agent was answered before. */
  readonly step: number
  readonly max_tokens: number
  readonly tools: readonly string[]
  /** The last thing that was said to the agent. */
  readonly heard: string
  readonly bytes: number
}

/** What is answered, and what it is billed as. */
export interface BilledAnswer {
  readonly say?: string
  readonly calls?: readonly { readonly tool: string; readonly input: object }[]
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface Bill {
  readonly requests: number
  readonly tokens: number
  /** Millionths of a dollar. */
  readonly usd: number
}

/** Dollars per million tokens, as `models.json` says them. */
export const prices = { input: 3, output: 15 }

/** A server of the Messages API on loopback that keeps its own account of what it was asked. */
export async function serveBilled(answer: (request: BilledRequest) => BilledAnswer) {
  let bill: Bill = { requests: 0, tokens: 0, usd: 0 }
  const requests: BilledRequest[] = []
  const respond = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const request = read(await text(incoming))
    requests.push(request)
    const given = answer(request)
    const { input_tokens, output_tokens } = given
    const usd = bill.usd + input_tokens * prices.input + output_tokens * prices.output
    bill = { requests: bill.requests + 1, tokens: bill.tokens + input_tokens + output_tokens, usd }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      eventsOf(request, given)
        .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
        .join(''),
    )
  }
  const server = createServer((incoming, response) => void respond(incoming, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bill: (): Bill => bill,
    requests,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

interface Wire {
  readonly max_tokens: number
  readonly system?: readonly { readonly text: string }[]
  readonly tools?: readonly { readonly name: string }[]
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

function read(body: string): BilledRequest {
  const { max_tokens, system, tools = [], messages } = JSON.parse(body) as Wire
  return {
    agent: /You are ([a-z0-9-]+)@/.exec(system?.[0]?.text ?? '')?.[1] ?? '',
    step: messages.filter(({ role }) => role === 'assistant').length,
    max_tokens,
    tools: tools.map(({ name }) => name),
    heard: JSON.stringify(messages.at(-1)?.content),
    bytes: body.length,
  }
}

function eventsOf({ agent, step, max_tokens }: BilledRequest, { say, calls = [], ...usage }: BilledAnswer) {
  const blocks = [
    ...(say === undefined
      ? []
      : [{ content_block: { type: 'text', text: '' }, delta: { type: 'text_delta', text: say } }]),
    ...calls.map(({ tool, input }, n) => ({
      content_block: { type: 'tool_use', id: `toolu_${agent}_${step}_${n}`, name: tool, input: {} },
      delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
    })),
  ]
  const whole = calls.length > 0 ? 'tool_use' : 'end_turn'
  const stop_reason = calls.length === 0 && usage.output_tokens >= max_tokens ? 'max_tokens' : whole
  const start = { id: `msg_${agent}_${step}`, type: 'message', role: 'assistant', content: [], model: 'loopback' }
  const { input_tokens, output_tokens } = usage
  return [
    { type: 'message_start', message: { ...start, stop_reason: null, usage: { input_tokens, output_tokens: 1 } } },
    ...blocks.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: block.content_block },
      { type: 'content_block_delta', index, delta: block.delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens } },
    { type: 'message_stop' },
  ]
}
