import { callsOf, resultText, type Message } from '../../protocol/conversation/message.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Attributes } from '../../protocol/telemetry/trace-span.ts'
import { getOrMake } from '../fold/fold.ts'

/** Words of members and models, for those who asked for them. */
export interface ContentFold {
  apply(recorded: Recorded): void
  /** The messages that are new since the model call before. */
  input(owner: string): Attributes
  output(owner: string): Attributes
  arguments(owner: string, callId: string): Attributes
}

interface Said {
  fresh: Message[]
  answer: Message | null
  inputs: ReadonlyMap<string, unknown>
}

/** @param wanted without it nothing is kept and nothing said */
export function contentFold(wanted: boolean): ContentFold {
  const members = new Map<string, Said>()
  const of = (owner: string): Said => getOrMake(members, owner, () => ({ fresh: [], answer: null, inputs: new Map() }))
  return {
    apply({ owner, entry }) {
      if (!wanted || entry.type !== 'message.appended') return
      const { message } = entry
      const said = of(owner)
      if (message.role !== 'assistant') {
        said.fresh.push(message)
        return
      }
      said.answer = message
      said.inputs = new Map(callsOf(message).map(({ id, input }) => [id, input]))
    },
    input(owner) {
      if (!wanted) return {}
      const said = of(owner)
      const told = said.fresh
      said.fresh = []
      said.answer = null
      return { 'gen_ai.input.messages': JSON.stringify(told.map(genaiMessage)) }
    },
    output(owner) {
      const { answer } = of(owner)
      return answer === null ? {} : { 'gen_ai.output.messages': JSON.stringify([genaiMessage(answer)]) }
    },
    arguments(owner, callId) {
      const input = of(owner).inputs.get(callId)
      return input === undefined ? {} : { 'gen_ai.tool.call.arguments': JSON.stringify(input) }
    },
  }
}

/** A message in the JSON shape of the conventions. Images and documents are named, never sent. */
function genaiMessage(message: Message) {
  if (message.role === 'tool') {
    const parts = message.results.map((result) => ({
      type: 'tool_call_response',
      id: result.call_id,
      response: resultText(result),
    }))
    return { role: 'tool', parts }
  }
  const parts = message.content.map((block) => {
    if (block.type === 'text') return { type: 'text', content: block.text }
    if (block.type === 'thinking') return { type: 'reasoning', content: block.text }
    if (block.type !== 'tool_use') return { type: block.type }
    return { type: 'tool_call', id: block.id, name: block.name, arguments: block.input }
  })
  return message.role === 'assistant'
    ? { role: 'assistant', parts, finish_reason: message.stop }
    : { role: 'user', parts }
}
