import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as the server saw it. */
export interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: Readonly<Record<string, unknown>>
}

export interface ModelServer {
  readonly root: string
  readonly asked: readonly Asked[]
  /** How many connections were opened. */
  readonly connections: () => number
  close(): Promise<void>
}

/** A server on loopback that answers as it is told. */
export async function modelServer(answer: (asked: Asked, response: ServerResponse) => void): Promise<ModelServer> {
  const asked: Asked[] = []
  let connections = 0
  const server = createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    request.on('end', () => {
      const body = (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>
      const seen = { path: request.url ?? '', headers: request.headers, text, body }
      asked.push(seen)
      answer(seen, response)
    })
  })
  server.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    root: `http://127.0.0.1:${port}`,
    asked,
    connections: () => connections,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

/** Sends each event in a write of its own; `open` leaves the stream without an end. */
export function sendEvents(response: ServerResponse, events: readonly unknown[], open = false): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const rest = [...events]
  const next = (): void => {
    if (response.destroyed) return
    if (rest.length === 0) {
      if (!open) response.end()
      return
    }
    const event = rest.shift()
    response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
    setImmediate(next)
  }
  next()
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
