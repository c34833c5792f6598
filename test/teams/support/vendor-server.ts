import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { stepIndexOf, type Script } from '../../../src/adapters/models/scripted/script.ts'
import { scriptedModel } from '../../../src/adapters/models/scripted/scripted.ts'
import type { Failure } from '../../../src/protocol/conversation/failure.ts'
import { callsOf, textOf, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import type { ModelRequest } from '../../../src/protocol/models/model.ts'
import { modelServer, type Asked } from '../../adapters/models/support/model-server.ts'
import { environmentFor, providerOf } from '../../support/faulty-server.ts'
import { heardIn } from '../../support/vendors/heard.ts'
import { openStreamOf, streamOf, type Api, type Speech } from '../../support/vendors/speech.ts'
import { complaintsAt } from '../../support/vendors/vendors.ts'

/** What a server of a script was asked, and what a vendor would have had against it. */
export interface VendorServer {
  /** `provider/model`. */
  readonly model: string
  readonly env: Readonly<Record<string, string>>
  readonly complaints: readonly string[]
  /** Who asked, request by request. */
  readonly asked: readonly string[]
  /** Tokens that it billed. */
  readonly billed: { readonly input: number; readonly output: number }
  /** Each comes true when the client has given up an answer that hangs. */
  readonly givenUp: readonly Promise<unknown>[]
  /** Steps of the script that nobody asked for. */
  unused(): readonly string[]
}

/** A vendor on loopback that refuses what that vendor refuses, and else answers what a scripted model would. */
export async function serveScript(api: Api, agents: Script['agents']): Promise<VendorServer> {
  const complaints: string[] = []
  const asked: string[] = []
  const billed = { input: 0, output: 0 }
  const givenUp: Promise<unknown>[] = []
  const model = scriptedModel('loopback', { agents: withoutHangs(agents) })
  const answer = async ({ path, text, body }: Asked, response: ServerResponse): Promise<void> => {
    complaints.push(...complaintsAt(path, text))
    const { longest, ...heard } = heardIn(api, body)
    const request: ModelRequest = { ...heard, tools: [] }
    asked.push(request.agent)
    const message = await settled(model.stream(request, new AbortController().signal))
    const { input, output } = message.usage
    if (longest !== undefined && output > longest) complaints.push(`${output} tokens are more than ${longest}`)
    billed.input += input
    billed.output += output
    if (message.failure?.code === 'script_mismatch') complaints.push(message.failure.message)
    if (message.failure && message.failure.code !== 'refused') {
      refuse(response, message.failure)
      return
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (agents[request.agent]?.steps[stepIndexOf(request)]?.hang) {
      givenUp.push(once(response, 'close'))
      response.write(openStreamOf(api, speechOf(message)))
    } else response.end(streamOf(api, speechOf(message)))
  }
  const { root, close } = await modelServer((told, response) => void answer(told, response))
  onTestFinished(close)
  const seen = { complaints, asked, billed, givenUp, unused: () => model.report() }
  return { model: providerOf[api], env: environmentFor(root), ...seen }
}

/** How an answer hangs is a matter of the wire. */
function withoutHangs(agents: Script['agents']): Script['agents'] {
  const plain = Object.entries(agents).map(([agent, { steps }]) => {
    return [agent, { steps: steps.map(({ hang: _, ...step }) => step) }] as const
  })
  return Object.fromEntries(plain)
}

async function settled(stream: ReturnType<ReturnType<typeof scriptedModel>['stream']>): Promise<AssistantMessage> {
  for await (const event of stream) if (event.type === 'settled') return event.message
  throw new Error('the scripted model did not settle')
}

function speechOf(message: AssistantMessage): Speech {
  return {
    text: textOf(message),
    calls: callsOf(message),
    usage: message.usage,
    ...(message.failure ? { refusal: message.failure.message } : {}),
  }
}

/** A scripted model says the same however often it is asked; so does this server, and it says that it does. */
function refuse(response: ServerResponse, { code, message }: Failure): void {
  const status = code === 'server_error' ? 500 : 400
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' })
  response.end(JSON.stringify({ type: 'error', error: { type: code, message } }))
}
