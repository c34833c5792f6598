import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { eventsOf } from '../vendors.ts'
import { cases } from './cases.ts'

/*
 * Both vendors on loopback, without delay and without memory: the path says which case it is (`/loop/200/…`), and the
 * request which turn. The stream of the case `abort` never ends by itself.
 */

/** Answers by path and turn: a long one is made once, before anybody asks for it. */
const made = new Map<string, string>()

/** The events of an answer in one text. */
function answerTo(path: string, step: number): string {
  const [, name, size] = path.split('/')
  const asked = cases.find((known) => known.name === name)
  const key = `${name} ${size} ${path.includes('messages')} ${step}`
  const text = made.get(key) ?? (asked ? eventsOf(path, asked.answer(step, Number(size))).join('') : '')
  if (name !== 'cold') made.set(key, text)
  return text
}

for (const { name, size } of cases) for (const wire of ['messages', 'chat']) answerTo(`/${name}/${size}/${wire}`, 0)

async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? ''
  const step = (await text(request)).split('"role":"assistant"').length - 1
  const answer = answerTo(path, step)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (path.startsWith('/abort/')) goOn(response, answer)
  else response.end(answer)
}

/** Sends the pieces in the middle of an answer again and again, until nobody listens. */
function goOn(response: ServerResponse, answer: string): void {
  const events = answer.split('\n\n').map((event) => `${event}\n\n`)
  const middle = events.slice(2, 10).join('')
  response.write(events.slice(0, 2).join(''))
  const timer = setInterval(() => response.write(middle), 1)
  response.once('close', () => clearInterval(timer))
}

const server = createServer((request, response) => void respond(request, response))
// A busy machine lets peers wait longer than a vendor would.
server.keepAliveTimeout = 600_000
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
