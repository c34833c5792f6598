import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import { environmentFor, providerOf } from '../../support/faulty-server.ts'
import { streamOf, turnsIn, type Api } from '../../support/vendors/speech.ts'
import { complaintsAt } from '../../support/vendors/vendors.ts'

/** One answer: words, and at most one call. */
export interface SpokenStep {
  readonly say?: string
  readonly calls?: readonly { readonly tool: string; readonly input: object }[]
}

/** What a server of this script was asked, and what a vendor would have had against it. */
export interface VendorServer {
  /** `provider/model`. */
  readonly model: string
  readonly env: Readonly<Record<string, string>>
  readonly complaints: readonly string[]
}

/** A vendor on loopback that refuses what that vendor refuses. It knows an agent by its system prompt, its step by its answers so far. */
export async function serveScript(
  api: Api,
  script: Readonly<Record<string, readonly SpokenStep[]>>,
): Promise<VendorServer> {
  const complaints: string[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await text(request)
    complaints.push(...complaintsAt(request.url ?? '', body))
    const agent = /You are ([a-z0-9-]+)@/.exec(body)?.[1] ?? ''
    const turn = turnOf(api, JSON.parse(body) as Record<string, unknown>)
    const step = script[agent]?.[turn]
    if (!step) complaints.push(`no answer is written for step ${turn + 1} of "${agent}"`)
    const call = step?.calls?.[0]
    const spoken = call ? { call: { id: `${agent}_${turn}`, name: call.tool, input: call.input } } : {}
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf(api, { text: step?.say ?? '', ...spoken }))
  }
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { model: providerOf[api], env: environmentFor(root), complaints }
}

/** Answers that were nothing but a call stand for themselves among the items of the Responses API. */
function turnOf(api: Api, body: Readonly<Record<string, unknown>>): number {
  if (api !== 'responses') return turnsIn(api, body)
  const items = (body['input'] ?? []) as readonly { readonly role?: string; readonly type?: string }[]
  return items.filter(({ role, type }) => role === 'assistant' || type === 'function_call').length
}
