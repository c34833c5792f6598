import fc from 'fast-check'
import type { Entry } from '../../../../src/protocol/facts/entry.ts'
import type {
  AssistantMessage,
  Message,
  ToolMessage,
  UserMessage,
} from '../../../../src/protocol/conversation/message.ts'
import {
  appendEntry,
  conversationOf,
  emptyConversation,
  type Conversation,
} from '../../../../src/rules/conversation/context-window.ts'

/** Any conversation that our fold can make: cut answers, lost results, mail in between, blocks of other vendors. */

const text = fc.oneof(fc.constantFrom('', ' ', 'words', 'half \ud83d', 'ünïcode ✓'), fc.string({ maxLength: 12 }))
const textBlock = text.map((value) => ({ type: 'text' as const, text: value }))
const image = fc
  .constantFrom('image/png', 'image/tiff')
  .map((media_type) => ({ type: 'image' as const, media_type, data: 'AAAA' }))

const opaque = fc.constantFrom(
  undefined,
  { vendor: 'anthropic', signature: 'sig' },
  { vendor: 'anthropic', redacted: 'data' },
  { vendor: 'openai', item: { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'sealed' } },
  { vendor: 'openai', item: { type: 'reasoning', id: 'rs', summary: [] } },
  { vendor: 'chat', field: 'reasoning_content' },
)
const thinking = fc
  .tuple(text, opaque)
  .map(([value, seal]) => ({ type: 'thinking' as const, text: value, ...(seal === undefined ? {} : { opaque: seal }) }))

const foreign = fc.constantFrom('anthropic', 'openai').map((vendor) => ({
  type: 'foreign' as const,
  vendor,
  raw: { type: 'server_tool_use', id: 'srv', name: 'x', input: {} },
}))

const call = fc.record({
  type: fc.constant('tool_use' as const),
  id: fc.constant(''),
  name: fc.constantFrom('Read', 'mcp.server tool', 'Bash'),
  input: fc.constantFrom<unknown>({ path: 'a' }, {}, [1], 'text', null),
})

const user: fc.Arbitrary<UserMessage> = fc.record({
  role: fc.constant('user' as const),
  origin: fc.constantFrom('person' as const, 'runtime' as const),
  content: fc.array(fc.oneof(textBlock, image), { maxLength: 3 }),
})

const assistant: fc.Arbitrary<AssistantMessage> = fc.record({
  role: fc.constant('assistant' as const),
  model: fc.constant('m'),
  content: fc.array(fc.oneof(textBlock, thinking, foreign, call), { maxLength: 5 }),
  stop: fc.constantFrom('end', 'tools', 'max_tokens', 'pause', 'aborted', 'error'),
  usage: fc.constant({ input: 0, output: 0, cache_read: 0, cache_write: 0 }),
})

/** Which calls of the latest answer get results, and what follows. */
const step = fc.oneof(
  { weight: 3, arbitrary: assistant.map((message) => ({ message, answered: 'all' as const })) },
  { weight: 1, arbitrary: assistant.map((message) => ({ message, answered: 'some' as const })) },
  { weight: 1, arbitrary: assistant.map((message) => ({ message, answered: 'none' as const })) },
  { weight: 3, arbitrary: user.map((message) => ({ message, answered: 'all' as const })) },
)

export const steps = fc.array(step, { minLength: 1, maxLength: 12 })
type Steps = typeof steps extends fc.Arbitrary<infer Value> ? Value : never

/** The journal entries of these steps; ids are unique, as the model's are. */
export function entriesOf(given: Steps): readonly Entry[] {
  const messages = given.flatMap(({ message, answered }, turn): readonly Message[] => {
    if (message.role === 'user') return [message]
    const content = message.content.map((block, index) =>
      block.type === 'tool_use' ? { ...block, id: `call_${turn}_${index}` } : block,
    )
    const named = { ...message, content }
    const results = resultsFor(named, answered)
    return results.results.length > 0 ? [named, results] : [named]
  })
  return messages.map((message, index) => ({
    v: 1,
    seq: index + 1,
    id: `lead-${index + 1}`,
    parent: null,
    at: 0,
    type: 'message.appended',
    message,
  }))
}

function resultsFor(message: AssistantMessage, answered: 'all' | 'some' | 'none'): ToolMessage {
  const calls = message.content.filter((block) => block.type === 'tool_use')
  const kept = { all: calls, some: calls.slice(1), none: [] }[answered]
  const results = kept.map(({ id, name }, index) => ({
    call_id: id,
    tool: name,
    content: index % 2 === 0 ? [{ type: 'text' as const, text: 'done' }] : [],
    is_error: index % 3 === 0,
  }))
  return { role: 'tool', results }
}

export function conversation(given: Steps): Conversation {
  return conversationOf(entriesOf(given))
}

/** The same conversation as it grows: `look` sees it after every entry. */
export function growing(given: Steps, look: (messages: readonly Message[]) => void): void {
  const grown = emptyConversation()
  for (const entry of entriesOf(given)) {
    appendEntry(grown, entry)
    look(grown.messages)
  }
}
