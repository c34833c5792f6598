import type { ServerResponse } from 'node:http'
import { modelServer } from '../adapters/models/support/model-server.ts'
import { pathOf, streamOf, turnsIn, type Api, type Speech } from './vendors/speech.ts'
import { complaintsAt } from './vendors/vendors.ts'

/** What may go wrong with an answer, and at which of its bytes. */
export type Fault =
  | {
      readonly kind: 'answer'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string
    }
  /** The connection is reset, the stream ends as if it were whole, or nothing more comes. */
  | { readonly kind: 'cut' | 'end' | 'stall'; readonly at: number }
  /** These bytes stand in the stream. */
  | { readonly kind: 'noise'; readonly at: number; readonly bytes: string }
  /** Before any byte of an answer. */
  | { readonly kind: 'reset' | 'hang' }

export interface FaultyServer {
  readonly root: string
  /** Every request that came, in order. */
  readonly asked: readonly {
    readonly turn: number
    readonly body: Readonly<Record<string, unknown>>
    readonly text: string
  }[]
  /** What the vendor would have had against them. */
  readonly complaints: readonly string[]
  close(): Promise<void>
}

interface Play {
  readonly api: Api
  /** The answer of a turn, from 0. */
  readonly speak: (turn: number) => Speech
  /** What goes wrong with a request; `count` says how many came before it in all. */
  readonly fault?: (turn: number, count: number) => Fault | null
}

/** A vendor on loopback that refuses what vendors refuse, speaks turn by turn, and fails where it is told to. */
export async function faultyServer({ api, speak, fault = () => null }: Play): Promise<FaultyServer> {
  const asked: FaultyServer['asked'][number][] = []
  const complaints: string[] = []
  const { root, close } = await modelServer(({ path, text, body }, response) => {
    const turn = turnsIn(api, body)
    asked.push({ turn, body, text })
    const wrong = complaintsAt(path, text)
    complaints.push(...wrong)
    const refusal = JSON.stringify({ error: { message: wrong.join('; ') } })
    if (wrong.length > 0) send(response, { kind: 'answer', status: 400, body: refusal })
    else play(response, streamOf(api, speak(turn)), fault(turn, asked.length - 1))
  })
  return { root, asked, complaints, close }
}

/** The environment in which a model of this API finds such a server. */
export function environmentFor(root: string): Readonly<Record<string, string>> {
  return {
    ANTHROPIC_API_KEY: 'key-of-the-test',
    ANTHROPIC_BASE_URL: root,
    OPENAI_API_KEY: 'key-of-the-test',
    OPENAI_BASE_URL: root,
    OPENAI_COMPATIBLE_BASE_URL: root,
  }
}

export const providerOf: Readonly<Record<Api, string>> = {
  anthropic: 'anthropic/m',
  chat: 'openai-compatible/m',
  responses: 'openai/m',
}

export const apis = Object.keys(pathOf) as readonly Api[]

function play(response: ServerResponse, bytes: Buffer, fault: Fault | null): void {
  if (fault?.kind === 'answer') {
    send(response, fault)
    return
  }
  if (fault !== null && !('at' in fault)) {
    if (fault.kind === 'reset') response.socket?.resetAndDestroy()
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  if (fault === null) response.end(bytes)
  else breakAt(response, bytes, fault)
}

function breakAt(response: ServerResponse, bytes: Buffer, fault: Extract<Fault, { at: number }>): void {
  const before = bytes.subarray(0, fault.at)
  if (fault.kind === 'noise') response.end(Buffer.concat([before, Buffer.from(fault.bytes), bytes.subarray(fault.at)]))
  else if (fault.kind === 'end') response.end(before)
  else {
    response.flushHeaders()
    // What was written has to leave before the connection is broken.
    response.write(before, () => {
      if (fault.kind === 'cut') setImmediate(() => response.socket?.resetAndDestroy())
    })
  }
}

function send(response: ServerResponse, { status, headers = {}, body }: Extract<Fault, { kind: 'answer' }>): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(body)
}
