import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { parseJson } from '../../fs/parse-json.ts'
import { longestMessage } from './longest-message.ts'

/** The way to a server over a WebSocket: that of the SDK sends no headers and takes messages of any length. */
export class WebSocketTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void

  readonly #url: URL
  readonly #headers: Readonly<Record<string, string>>
  #socket: WebSocket | null = null
  #over = false

  constructor(url: URL, headers: Readonly<Record<string, string>>) {
    this.#url = url
    this.#headers = headers
  }

  start(): Promise<void> {
    const socket = new WebSocket(this.#url, { protocols: 'mcp', headers: this.#headers })
    this.#socket = socket
    socket.addEventListener('message', ({ data }: { readonly data: unknown }) => this.#hear(data))
    socket.addEventListener('close', () => this.#end())
    return new Promise((resolve, reject) => {
      socket.addEventListener('open', () => resolve())
      socket.addEventListener('error', () => {
        const error = new Error('the WebSocket failed')
        reject(error)
        this.onerror?.(error)
      })
    })
  }

  #hear(data: unknown): void {
    if (typeof data !== 'string' || data.length > longestMessage) {
      void this.close()
      return
    }
    const message = JSONRPCMessageSchema.safeParse(parseJson(data))
    if (message.success) this.onmessage?.(message.data)
    else this.onerror?.(message.error)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#socket?.readyState !== WebSocket.OPEN) throw new Error('the connection is closed')
    this.#socket.send(JSON.stringify(message))
  }

  async close(): Promise<void> {
    this.#socket?.close()
    // A server that does not say goodbye is not waited for.
    this.#end()
  }

  #end(): void {
    if (this.#over) return
    this.#over = true
    this.onclose?.()
  }
}
