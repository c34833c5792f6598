import type { AssistantMessage, ToolUseBlock } from '../../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../../protocol/models/model.ts'
import { parseJson } from '../../fs/parse-json.ts'
import { wireName } from '../served/tool-names.ts'

const thought = /^\s*<think>([^]*?)<\/think>\s*/
const call = /<tool_call>\s*(\{[^]*?\})\s*<\/tool_call>\s*/g
/** Calls that end an answer: those before other words, or in a fence, are spoken of. */
const lastCalls = /(?:<tool_call>\s*\{(?:(?!<\/?tool_call>)[^])*\}\s*<\/tool_call>\s*)+$/

/**
 * An answer in which a model wrote what its server should have told apart: thinking between tags at the beginning, and
 * calls between tags at the end where it made no other. A call counts only when it names a tool of the request.
 *
 * @param readsCalls false where a server surely tells calls apart: there a model only quotes them
 * @returns null when there is nothing of it
 * @example '<think>Hm.</think>Yes.' // thinking "Hm.", text "Yes."
 */
export function withoutInlineWords(
  message: AssistantMessage,
  { tools, output }: ModelRequest,
  readsCalls: boolean,
): AssistantMessage | null {
  const place = message.content.findIndex(({ type }) => type === 'text')
  const block = message.content[place]
  if (block?.type !== 'text' || !/<(think|tool_call)>/.test(block.text)) return null
  const thinking = thought.exec(block.text)?.[1]?.trim() ?? ''
  const said = block.text.replace(thought, '')
  const names = new Set([...tools, ...(output ? [output] : [])].map(({ name }) => wireName(name)))
  const hasCalls = !readsCalls || message.content.some(({ type }) => type === 'tool_use')
  const end = hasCalls ? '' : (lastCalls.exec(said)?.[0] ?? '')
  const calls = [...end.matchAll(call)].flatMap(([, json = '']) => callIn(json, names))
  const text = calls.length > 0 ? said.slice(0, -end.length).trim() : said
  if (thinking === '' && calls.length === 0) return null
  const own: AssistantMessage['content'] = [
    ...(thinking === '' ? [] : [{ type: 'thinking' as const, text: thinking }]),
    ...(text === '' ? [] : [{ ...block, text }]),
    ...calls,
  ]
  const stop = calls.length > 0 && message.stop === 'end' ? 'tools' : message.stop
  return { ...message, content: message.content.toSpliced(place, 1, ...own), stop }
}

function callIn(json: string, names: ReadonlySet<string>): readonly ToolUseBlock[] {
  const read = parseJson(json)
  if (typeof read !== 'object' || read === null || !('name' in read) || !names.has(String(read.name))) return []
  const input: unknown = 'arguments' in read ? read.arguments : {}
  return [{ type: 'tool_use', id: '', name: String(read.name), input }]
}
