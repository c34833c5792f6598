import {
  callsOf,
  messageSchema,
  noUsage,
  resultText,
  textOf,
  type AssistantMessage,
  type Message,
  type ToolMessage,
  type ToolUseBlock,
} from '../../protocol/conversation/message.ts'
import { messageChars } from '../conversation/fullness.ts'

/* Messages of a conversation for programs that make, choose and check them: middleware, and faces that take messages from others. */

/** An answer of a model with calls: `assistantMessage('I look.', [{ id: 'c1', name: 'Read', input: { file_path: 'a' } }])`. */
export function assistantMessage(
  text: string,
  calls: readonly Pick<ToolUseBlock, 'id' | 'name' | 'input'>[] = [],
  model = 'given/given',
): AssistantMessage {
  const said = text === '' ? [] : [{ type: 'text' as const, text }]
  const called = calls.map((call) => ({ type: 'tool_use' as const, ...call }))
  return {
    role: 'assistant',
    model,
    content: [...said, ...called],
    stop: called.length > 0 ? 'tools' : 'end',
    usage: noUsage,
  }
}

/** The results of an answer's calls: `toolMessage([{ call_id: 'c1', tool: 'Read', text: 'hello' }])`. */
export function toolMessage(
  results: readonly {
    readonly call_id: string
    readonly tool: string
    readonly text: string
    readonly is_error?: boolean
  }[],
): ToolMessage {
  return {
    role: 'tool',
    results: results.map(({ text, is_error = false, ...of }) => ({
      ...of,
      content: [{ type: 'text', text }],
      is_error,
    })),
  }
}

/**
 * The end of a conversation: so many messages, or a few less, since it begins with words of a user and parts no call from its results.
 * Where nobody spoke in so many, it begins with the latest words of a user.
 *
 * @example modifyRequest: (request) => ({ ...request, messages: latestMessages(request.messages, 20) })
 */
export function latestMessages(messages: readonly Message[], most: number): readonly Message[] {
  const begin = messages.findIndex(({ role }, at) => at >= messages.length - most && role === 'user')
  return begin === -1 ? messages.slice(messages.findLastIndex(({ role }) => role === 'user')) : messages.slice(begin)
}

/** The words of a conversation alone: calls, results and thinking are left out, and answers that said nothing. */
export function wordsAlone(messages: readonly Message[]): readonly Message[] {
  return messages.flatMap((message): readonly Message[] => {
    if (message.role === 'user') return [message]
    if (message.role === 'tool' || textOf(message).trim() === '') return []
    return [{ ...message, stop: 'end', content: message.content.filter(({ type }) => type === 'text') }]
  })
}

/** The roles that may occur; default: all. Of messages that a person sends, say `{ roles: ['user'] }`. */
export interface ChainLimits {
  readonly roles?: readonly Message['role'][]
}

/**
 * The reasons for which a list is no conversation that a model could be asked: shapes, a beginning without a user, roles that
 * may not occur, calls without a result, results without a call, ids that occur twice.
 *
 * @param messages whatever a program was given
 * @returns sentences that name the place, from 0; none for a good list
 * @example messageProblems([{ role: 'tool', results: [] }]) // ['message 0: …']
 */
export function messageProblems(messages: unknown, { roles }: ChainLimits = {}): readonly string[] {
  if (!Array.isArray(messages)) return ['a conversation is a list of messages']
  const problems: string[] = []
  let open = new Set<string>()
  const ids = new Set<string>()
  for (const [at, given] of messages.entries()) {
    const tell = (why: string): void => void problems.push(`message ${at}: ${why}`)
    const { success, data: message, error } = messageSchema.safeParse(given)
    if (!success) {
      const [issue] = error.issues
      tell(`${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is no message'}`.trim())
      continue
    }
    if (roles?.includes(message.role) === false) tell(`${message.role} may not speak here`)
    if (at === 0 && message.role !== 'user') tell('a conversation begins with words of a user')
    if (message.role === 'tool') {
      for (const { call_id } of message.results) if (!open.delete(call_id)) tell(`there is no open call ${call_id}`)
    }
    if (open.size > 0 && message.role !== 'user') tell(`without a result: ${[...open].join(', ')}`)
    if (message.role === 'user') continue
    open = new Set(message.role === 'tool' ? [] : callsOf(message).map(({ id }) => id))
    for (const id of open) {
      if (ids.has(id)) tell(`the id ${id} was there before`)
      ids.add(id)
    }
  }
  if (open.size > 0) problems.push(`at the end: without a result: ${[...open].join(', ')}`)
  return problems
}

/** Characters that a token has on average, where no model has counted. */
const charsPerToken = 3

/** A guess at the tokens of messages, before any model counts them: `estimateTokens(request.messages)`. */
export function estimateTokens(messages: readonly Message[]): number {
  return Math.ceil(messages.reduce((sum, message) => sum + messageChars(message), 0) / charsPerToken)
}

/** A conversation for people to read, a paragraph for each message. */
export function conversationText(messages: readonly Message[]): string {
  return messages
    .map((message) => {
      if (message.role === 'tool')
        return message.results
          .map((result) => `${result.tool}${result.is_error ? ' failed' : ''}: ${resultText(result)}`)
          .join('\n')
      const calls =
        message.role === 'user' ? [] : callsOf(message).map(({ name, input }) => `→ ${name} ${JSON.stringify(input)}`)
      const who = message.role === 'user' ? message.origin : message.model
      return [`${who}: ${textOf(message)}`.trimEnd(), ...calls].join('\n')
    })
    .join('\n\n')
}
