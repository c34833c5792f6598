import {
  noUsage,
  userMessage,
  type AssistantMessage,
  type Message,
  type ToolMessage,
  type ToolUseBlock,
} from '../../../src/protocol/conversation/message.ts'
import { fieldsOf, listOf, type Fields } from './complaint.ts'
import type { Api } from './speech.ts'

/** What a model hears in a request, whichever vendor's words it is written in. Pictures are passed over. */
export interface Heard {
  readonly system: string
  /** The agent that the system prompt speaks to. */
  readonly agent: string
  readonly messages: readonly Message[]
  readonly tools: readonly string[]
  /** The longest answer that is wanted, in tokens. */
  readonly longest: number | undefined
}

/** Reads a request as its model does: the way back from `src/adapters/models`. */
export function heardIn(api: Api, body: Fields): Heard {
  const longest = body['max_tokens'] ?? body['max_completion_tokens'] ?? body['max_output_tokens']
  const { system, uttered } = ears[api](body)
  return {
    system,
    agent: /You are ([a-z0-9-]+)@/.exec(system)?.[1] ?? '',
    messages: messagesOf(uttered),
    tools: listOf(body['tools']).map((tool) => String(tool['name'] ?? fieldsOf(tool['function'])['name'])),
    longest: typeof longest === 'number' ? longest : undefined,
  }
}

/** One thing that was said to the model or by it. */
type Utterance =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly block: AssistantMessage['content'][number] }
  | { readonly role: 'tool'; readonly id: string; readonly text: string }

interface Conversation {
  readonly system: string
  readonly uttered: readonly Utterance[]
}

const ears: Readonly<Record<Api, (body: Fields) => Conversation>> = {
  anthropic: ({ system, messages }) => ({
    system: textIn(system),
    uttered: listOf(messages).flatMap(({ role, content }) =>
      listOf(content).map((block): Utterance => {
        if (block['type'] === 'tool_use') return called(block['id'], block['name'], block['input'])
        if (block['type'] === 'tool_result') return result(block['tool_use_id'], block['content'])
        return spoken(role, block['text'])
      }),
    ),
  }),
  chat: ({ messages }) => {
    const [told, ...rest] = listOf(messages)
    return { system: textIn(told?.['content']), uttered: rest.flatMap(inChat) }
  },
  responses: ({ instructions, input }) => ({
    system: textIn(instructions),
    uttered: listOf(input).flatMap((item): readonly Utterance[] => {
      if (item['type'] === 'function_call') return [called(item['call_id'], item['name'], read(item['arguments']))]
      if (item['type'] === 'function_call_output') return [result(item['call_id'], item['output'])]
      return partsOf(item['content']).map((text) => spoken(item['role'], text))
    }),
  }),
}

function inChat({ role, content, tool_calls, tool_call_id }: Fields): readonly Utterance[] {
  if (role === 'tool') return [result(tool_call_id, content)]
  const calls = listOf(tool_calls).map(({ id, function: of }) => {
    const { name, arguments: args } = fieldsOf(of)
    return called(id, name, read(args))
  })
  return [...partsOf(content).map((text) => spoken(role, text)), ...calls]
}

function spoken(role: unknown, text: unknown): Utterance {
  return role === 'assistant'
    ? { role, block: { type: 'text', text: String(text) } }
    : { role: 'user', text: String(text) }
}

function called(id: unknown, name: unknown, input: unknown): Utterance {
  const call: ToolUseBlock = { type: 'tool_use', id: String(id), name: String(name), input }
  return { role: 'assistant', block: call }
}

function result(id: unknown, content: unknown): Utterance {
  return { role: 'tool', id: String(id), text: textIn(content) }
}

function read(args: unknown): unknown {
  return JSON.parse(String(args))
}

/** Texts stand alone or in a list of parts. */
function partsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).map(({ text }) => String(text))
}

function textIn(content: unknown): string {
  return partsOf(content).join('\n')
}

/** What a model says at once is one message, and so are the results of its calls; what it is told are many. */
function messagesOf(uttered: readonly Utterance[]): readonly Message[] {
  const messages: Message[] = []
  for (const each of uttered) {
    const last = messages.at(-1)
    if (each.role === 'user') messages.push(userMessage(each.text, 'runtime'))
    else if (each.role === 'assistant') {
      if (last?.role === 'assistant') last.content.push(each.block)
      else messages.push(answerWith(each.block))
    } else {
      const content = [{ type: 'text' as const, text: each.text }]
      const outcome = { call_id: each.id, tool: '', content, is_error: false }
      if (last?.role === 'tool') last.results.push(outcome)
      else messages.push({ role: 'tool', results: [outcome] } satisfies ToolMessage)
    }
  }
  return messages
}

function answerWith(block: AssistantMessage['content'][number]): AssistantMessage {
  return { role: 'assistant', model: '', content: [block], stop: 'end', usage: noUsage }
}
