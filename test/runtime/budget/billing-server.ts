import { environmentFor, providerOf } from '../../support/faulty-server.ts'
import { heardIn } from '../../support/vendors/heard.ts'
import { streamOf, type Api } from '../../support/vendors/speech.ts'
import { modelServer } from '../../adapters/models/support/model-server.ts'
import { bareEnv } from '../../support/bare-env.ts'

/** A request, as far as this server looks. */
export interface BilledRequest {
  readonly agent: string
  /** How often this agent was answered before. */
  readonly step: number
  readonly max_tokens: number
  readonly tools: readonly string[]
  /** The last thing that was said to the agent. */
  readonly heard: string
  readonly bytes: number
}

/** What is answered, and what it is billed as. */
export interface BilledAnswer {
  readonly say?: string
  readonly calls?: readonly { readonly tool: string; readonly input: object }[]
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface Bill {
  readonly requests: number
  readonly tokens: number
  /** Millionths of a dollar. */
  readonly usd: number
}

/** Dollars per million tokens, as `models.json` says them. */
export const prices = { input: 3, output: 15 }

/** A vendor on loopback that keeps its own account of what it was asked. */
export async function serveBilled(answer: (request: BilledRequest) => BilledAnswer, api: Api = 'anthropic') {
  let bill: Bill = { requests: 0, tokens: 0, usd: 0 }
  const requests: BilledRequest[] = []
  const { root, close } = await modelServer(({ text, body }, response) => {
    const { agent, messages, tools, longest: max_tokens = 16_384 } = heardIn(api, body)
    const last = messages.findLastIndex(({ role }) => role === 'assistant')
    const step = messages.filter(({ role }) => role === 'assistant').length
    const heard = JSON.stringify(messages.slice(last + 1))
    const request = { agent, step, max_tokens, tools, heard, bytes: text.length }
    requests.push(request)
    const { say = '', calls = [], input_tokens: input, output_tokens: output } = answer(request)
    const usd = bill.usd + input * prices.input + output * prices.output
    bill = { requests: bill.requests + 1, tokens: bill.tokens + input + output, usd }
    const named = calls.map((call, n) => ({ id: `call_${agent}_${step}_${n}`, name: call.tool, input: call.input }))
    const cut = calls.length === 0 && output >= max_tokens
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf(api, { text: say, calls: named, cut, usage: { input, output } }))
  })
  const model = providerOf[api]
  return { model, env: { ...bareEnv, ...environmentFor(root) }, bill: (): Bill => bill, requests, close }
}
