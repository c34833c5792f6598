import type { AssistantMessage } from '../../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../../protocol/models/model.ts'
import { ownNames } from './tool-names.ts'

/**
 * An answer with our names in it: tools and parameters that were spelled otherwise for the vendor have their own names
 * again, and an answer that was forced into a call becomes the text it stands for.
 */
export function inOwnWords(message: AssistantMessage, { tools, output }: ModelRequest): AssistantMessage {
  const names = ownNames(tools)
  if (names.size === 0 && output === undefined) return message
  const isForm = (name: string): boolean => name === output?.name && tools.every((tool) => tool.name !== name)
  const content = message.content.map((block) => {
    if (block.type !== 'tool_use') return block
    if (isForm(block.name)) return { type: 'text' as const, text: block.malformed ?? JSON.stringify(block.input) }
    const own = names.get(block.name)
    return own === undefined ? block : { ...block, name: own.name, input: inOwnKeys(block.input, own.keys) }
  })
  const stop = message.stop === 'tools' && content.every(({ type }) => type !== 'tool_use') ? 'end' : message.stop
  return { ...message, content, stop }
}

function inOwnKeys(input: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (keys.size === 0 || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [keys.get(key) ?? key, value]))
}
