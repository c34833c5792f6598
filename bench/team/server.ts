import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { perCard, task, turns } from './plan.ts'

/*
 * Both vendors on loopback, without delay and without memory: which turn it is says the request. The lead delegates the
 * whole work in its first answer and reports in its second.
 */

interface Call {
  readonly id: string
  readonly name: string
  readonly input: unknown
}

/** Words, or calls. */
type Answer = string | readonly Call[]

/** A lead says how many workers it has. */
function led(step: number, body: string): Answer {
  const workers = Number(/Begin with (\d+)\./.exec(body)?.[1])
  if (step > 0) return 'All parts are done.'
  return Array.from({ length: Math.ceil(workers / perCard) }, (_, card): Call => {
    const parts = Array.from({ length: Math.min(perCard, workers - card * perCard) }, (__, n) => card * perCard + n)
    const subtasks = parts.map((n) => ({ worker: `hand-${card + 1}`, task: task(n) }))
    return { id: `lead_${card}`, name: 'Delegate', input: { subtasks } }
  })
}

function worked(step: number): Answer {
  if (step >= turns - 1) return 'This part is done.'
  return [{ id: `call_${step}`, name: 'Noop', input: { i: step, note: `step ${step}` } }]
}

function asMessages(answer: Answer): string {
  const said = typeof answer === 'string'
  const blocks = said
    ? [{ content_block: { type: 'text', text: '', citations: null }, delta: { type: 'text_delta', text: answer } }]
    : answer.map(({ id, name, input }) => ({
        content_block: { type: 'tool_use', id, name, input: {} },
        delta: { type: 'input_json_delta', partial_json: JSON.stringify(input) },
      }))
  const usage = { input_tokens: 10, output_tokens: 1 }
  const message = { id: 'msg', type: 'message', role: 'assistant', model: 'm', content: [], stop_reason: null, usage }
  const ending = { stop_reason: said ? 'end_turn' : 'tool_use', stop_sequence: null }
  const events = [
    { type: 'message_start', message },
    ...blocks.flatMap(({ content_block, delta }, index) => [
      { type: 'content_block_start', index, content_block },
      { type: 'content_block_delta', index, delta },
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: ending, usage: { output_tokens: 10 } },
    { type: 'message_stop' },
  ]
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

function asChat(answer: Answer): string {
  const said = typeof answer === 'string'
  const deltas = said
    ? [{ role: 'assistant', content: answer }]
    : answer.map(({ id, name, input }, index) => ({
        tool_calls: [{ index, id, type: 'function', function: { name, arguments: JSON.stringify(input) } }],
      }))
  const base = { id: 'chatcmpl', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunks = [
    ...deltas.map((delta) => ({ ...base, choices: [{ index: 0, delta, finish_reason: null }] })),
    { ...base, choices: [{ index: 0, delta: {}, finish_reason: said ? 'stop' : 'tool_calls' }] },
    { ...base, choices: [], usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } },
  ]
  return `${chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')}data: [DONE]\n\n`
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const step = body.split('"role":"assistant"').length - 1
  const answer = body.includes('the coordinator of a team') ? led(step, body) : worked(step)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(request.url?.includes('messages') ? asMessages(answer) : asChat(answer))
}

const server = createServer((request, response) => void respond(request, response))
// A busy machine lets peers wait longer than a vendor would.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
