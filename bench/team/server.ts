import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventsOf, type Answer } from '../vendors.ts'
import { perCard, task, turns } from './plan.ts'

/*
 * Both vendors on loopback, without delay and without memory: which turn it is says the request. The lead delegates the
 * whole work in its first answer and reports in its second.
 */

/** A lead says how many workers it has. */
function led(step: number, body: string): Answer {
  const workers = Number(/Begin with (\d+)\./.exec(body)?.[1])
  if (step > 0) return { said: ['All parts are done.'] }
  const calls = Array.from({ length: Math.ceil(workers / perCard) }, (_, card) => {
    const parts = Array.from({ length: Math.min(perCard, workers - card * perCard) }, (__, n) => card * perCard + n)
    const subtasks = parts.map((n) => ({ worker: `hand-${card + 1}`, task: task(n) }))
    return { id: `lead_${card}`, name: 'Delegate', input: [JSON.stringify({ subtasks })] }
  })
  return { calls }
}

function worked(step: number): Answer {
  if (step >= turns - 1) return { said: ['This part is done.'] }
  return { calls: [{ id: `call_${step}`, name: 'Noop', input: [JSON.stringify({ i: step, note: `step ${step}` })] }] }
}

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request)
  const step = body.split('"role":"assistant"').length - 1
  const answer = body.includes('the coordinator of a team') ? led(step, body) : worked(step)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(eventsOf(request.url ?? '', answer).join(''))
}

const server = createServer((request, response) => void respond(request, response))
// A busy machine lets peers wait longer than a vendor would.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
