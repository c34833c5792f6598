import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** A vendor whose answers are spoken piece by piece, when a test says so. */
export interface TalkingServer {
  /** For `OPENAI_COMPATIBLE_BASE_URL`. */
  readonly url: string
  /** The next request that comes, or has come and waits. */
  next(): Promise<Answer>
}

/** One answer that is being given. */
export interface Answer {
  /** The request, as it came. */
  readonly asked: string
  say(text: string): void
  call(name: string, input: unknown): void
  end(): void
}

/** A server of the chat completions API on loopback. It answers nothing by itself. */
export async function talkingServer(): Promise<TalkingServer> {
  const came: Answer[] = []
  const wanted: ((answer: Answer) => void)[] = []
  const server = createServer((request, response) => {
    let asked = ''
    request.setEncoding('utf8')
    request.on('data', (text: string) => {
      asked += text
    })
    request.on('end', () => {
      const answer = answerOn(response, asked)
      const taker = wanted.shift()
      if (taker) taker(answer)
      else came.push(answer)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    next: async () => came.shift() ?? new Promise<Answer>((resolve) => wanted.push(resolve)),
  }
}

function answerOn(response: ServerResponse, asked: string): Answer {
  const send = (delta: object, finish: string | null = null): void => {
    const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'talker' }
    const choices = [{ index: 0, delta, finish_reason: finish }]
    response.write(`data: ${JSON.stringify({ ...chunk, choices })}\n\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  let reason = 'stop'
  return {
    asked,
    say: (text) => send({ content: text }),
    call(name, input) {
      reason = 'tool_calls'
      const function_ = { name, arguments: JSON.stringify(input) }
      send({ tool_calls: [{ index: 0, id: `call_${name}`, type: 'function', function: function_ }] })
    },
    end() {
      send({}, reason)
      response.end('data: [DONE]\n\n')
    },
  }
}
