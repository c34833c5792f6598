import { createHash } from 'node:crypto'
import { textOf, type AssistantMessage, type ToolUseBlock } from '../../../protocol/conversation/message.ts'
import type { ModelRequest, OutputShape } from '../../../protocol/models/model.ts'
import type { ToolSpec } from '../../../protocol/tools/tool.ts'

const taken = /^[a-z_][\w-]{0,63}$/i
const longest = 64

/**
 * A tool's name as every vendor takes it: letters, digits, `_` and `-`, at most 64, no digit first. What had to be changed
 * carries a piece of its own hash, so that two names never become one and the same name is always spelled the same.
 *
 * `wireName('mcp__files.read all')` → `mcp__files_read_all_…`
 */
export function wireName(name: string): string {
  if (taken.test(name)) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  const spelled = name.replaceAll(/[^\w-]/g, '_').replace(/^(?![a-z_])/i, '_')
  return `${spelled.slice(0, longest - hash.length - 1)}_${hash}`
}

/** A parameter's name as Anthropic takes it. */
export function wireKey(name: string): string {
  return /^[\w.-]{1,64}$/.test(name) ? name : wireName(name)
}

/** The tool that an answer of a given shape is forced into, where a server knows no better way. */
export function forcedTool({ name, schema }: OutputShape): ToolSpec {
  return { name, description: 'Gives the answer. Call it once, with the whole answer.', parameters: schema }
}

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
    if (isForm(block.name)) return { type: 'text' as const, text: formText(block, message) }
    const own = names.get(block.name)
    return own === undefined ? block : { ...block, name: own.name, input: inOwnKeys(block.input, own.keys) }
  })
  const stop = message.stop === 'tools' && content.every(({ type }) => type !== 'tool_use') ? 'end' : message.stop
  const own = names.get(message.cut_call ?? '')
  return { ...message, content, stop, ...(own ? { cut_call: own.name } : {}) }
}

/** The answer in a form; behind other words it is fenced, so that it is found. */
function formText({ input, malformed }: ToolUseBlock, message: AssistantMessage): string {
  const json = malformed ?? JSON.stringify(input)
  return textOf(message).trim() === '' ? json : `\n\n\`\`\`json\n${json}\n\`\`\``
}

function inOwnKeys(input: unknown, keys: ReadonlyMap<string, string>): unknown {
  if (keys.size === 0 || typeof input !== 'object' || input === null || Array.isArray(input)) return input
  return Object.fromEntries(Object.entries(input).map(([key, value]) => [keys.get(key) ?? key, value]))
}

interface OwnName {
  readonly name: string
  /** Own names of parameters by what the model calls them. */
  readonly keys: ReadonlyMap<string, string>
}

/** The tools of which something is spelled otherwise on the wire, by what the model calls them. */
export function ownNames(tools: readonly ToolSpec[]): ReadonlyMap<string, OwnName> {
  return new Map(
    tools.flatMap(({ name, parameters }) => {
      const keys = Object.keys(parameters['properties'] ?? {}).filter((key) => wireKey(key) !== key)
      if (taken.test(name) && keys.length === 0) return []
      return [[wireName(name), { name, keys: new Map(keys.map((key) => [wireKey(key), key])) }] as const]
    }),
  )
}

/** A refusal of the tools that the server itself would run, and what people call them. */
export const serverToolRefusal = /web_search|code_execution|code_interpreter/i
export const serverToolsName = 'tools of the server'
