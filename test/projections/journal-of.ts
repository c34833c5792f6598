import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'
import { noUsage, type AssistantMessage, type Usage } from '../../src/protocol/conversation/message.ts'

/** Facts as the journals would hold them, one millisecond apart: `[owner, fact]` in the order of their arrival. */
export function recordedOf(...said: readonly (readonly [owner: string, fact: Fact])[]): readonly Recorded[] {
  const lengths = new Map<string, number>()
  return said.map(([owner, fact], index) => {
    const seq = (lengths.get(owner) ?? 0) + 1
    lengths.set(owner, seq)
    const entry = {
      v: 1,
      seq,
      id: `${owner}-${seq}`,
      parent: seq > 1 ? `${owner}-${seq - 1}` : null,
      at: 1000 + index,
      ...fact,
    }
    return { owner, entry: entry as Entry }
  })
}

/** An assistant message with a text and calls. */
export function says(
  text: string,
  ...calls: readonly { id: string; name: string; input: unknown }[]
): AssistantMessage {
  return {
    role: 'assistant',
    model: 'scripted/x',
    content: [{ type: 'text', text }, ...calls.map((call) => ({ type: 'tool_use' as const, ...call }))],
    stop: calls.length > 0 ? 'tools' : 'end',
    usage: noUsage,
  }
}

export function appended(message: AssistantMessage): Fact {
  return { type: 'message.appended', message }
}

export function settled(
  usage: Partial<Usage>,
  more: { cost_usd?: number | null; stop?: 'end' | 'error'; model?: string } = {},
): Fact {
  return {
    type: 'model.settled',
    turn: 1,
    model: more.model ?? 'scripted/x',
    stop: more.stop ?? 'end',
    usage: { ...noUsage, ...usage },
    cost_usd: more.cost_usd === undefined ? 0 : more.cost_usd,
    duration_ms: 5,
  }
}

export function opened(request: string, worker = 'historian'): Fact {
  return { type: 'request.opened', request, worker, task: 'look', mail_id: 'm', attempt: 1, deadline: null }
}

export function closed(request: string, worker = 'historian'): Fact {
  return { type: 'request.settled', request, worker, status: 'done' }
}
