import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { until } from './until.ts'

/** An answer that is being written, in chat completions. */
export interface Answer {
  say(delta: string): void
  call(tool: string, input: object): void
  end(): void
}

export interface ModelServer {
  /** What the environment of a process that asks this model holds. */
  readonly env: Readonly<Record<string, string>>
  /** The answer to the next request. */
  next(): Promise<Answer>
}

/** Acts beside a model on loopback whose every word is said by the caller. */
export async function withModelServer<Result>(act: (model: ModelServer) => Promise<Result>): Promise<Result> {
  const asked: Answer[] = []
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await text(request)
    asked.push(answerOn(response))
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  try {
    return await act({
      env: { OPENAI_COMPATIBLE_BASE_URL: `http://127.0.0.1:${port}/v1`, OPENAI_COMPATIBLE_API_KEY: 'none' },
      next: () =>
        until(
          () => asked.shift() ?? null,
          () => 'nobody asked the model',
        ),
    })
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

function answerOn(response: ServerResponse): Answer {
  const base = { id: 'chatcmpl', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const send = (chunk: object): void => {
    response.write(`data: ${JSON.stringify({ ...base, ...chunk })}\n\n`)
  }
  const delta = (said: object): void => send({ choices: [{ index: 0, delta: said, finish_reason: null }] })
  let reason = 'stop'
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  return {
    say: (content) => delta({ role: 'assistant', content }),
    call(name, input) {
      const called = { name, arguments: JSON.stringify(input) }
      delta({ role: 'assistant', tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: called }] })
      reason = 'tool_calls'
    },
    end() {
      send({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })
      send({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })
      response.end('data: [DONE]\n\n')
    },
  }
}
