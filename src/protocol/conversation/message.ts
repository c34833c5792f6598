import { z } from 'zod'
import { failureSchema, type Failure } from './failure.ts'

/**
 * The one spelling of a conversation. Vendors' shapes exist only inside `adapters/models`.
 * Messages are immutable: a fold may keep them by reference and a provider may cache their translation.
 */
export const textBlockSchema = z.object({
  type: z.literal('text'),
  text: z.string(),
  /** The vendor's fields that go back with the text: citations, the phase of a message. */
  opaque: z.unknown().optional(),
})

/** `opaque` is whatever the vendor needs to see again unchanged (signatures, redacted data, reasoning ids). */
export const thinkingBlockSchema = z.object({
  type: z.literal('thinking'),
  text: z.string(),
  opaque: z.unknown().optional(),
})

export const imageBlockSchema = z.object({
  type: z.literal('image'),
  media_type: z.string(),
  data: z.string(),
})

/** A document as its vendor reads it, and the text in it for models that read no documents. */
export const documentBlockSchema = z.object({
  type: z.literal('document'),
  media_type: z.literal('application/pdf'),
  name: z.string(),
  data: z.string(),
  text: z.string(),
})

/** A file that a person gives with a prompt. */
const attachmentSchema = z.discriminatedUnion('type', [imageBlockSchema, documentBlockSchema])
export const attachmentsSchema = z.array(attachmentSchema)

export const toolUseBlockSchema = z.object({
  type: z.literal('tool_use'),
  id: z.string(),
  name: z.string(),
  input: z.unknown(),
  /** Set when the arguments did not parse: such a call never runs, the model is told. */
  malformed: z.string().optional(),
  /** The vendor's fields that go back with the call: its caller, its namespace. */
  opaque: z.unknown().optional(),
})

/** A block this version does not know, kept so that it can be returned unchanged to the vendor that sent it. */
export const foreignBlockSchema = z.object({ type: z.literal('foreign'), vendor: z.string(), raw: z.unknown() })

export const usageSchema = z.object({
  input: z.number().int().nonnegative(),
  output: z.number().int().nonnegative(),
  cache_read: z.number().int().nonnegative(),
  cache_write: z.number().int().nonnegative(),
  reasoning: z.number().int().nonnegative().optional(),
  /** Searches of the web that the vendor's server made, each at a price of its own. */
  searches: z.number().int().nonnegative().optional(),
})

/** How a call ended; without any of these it did what it was asked. */
export const callEndingShape = {
  is_error: z.boolean(),
  /** The exit code of the program that the call ran, unless it is 0; `failed`: the code tells of a failure. */
  exit: z.object({ code: z.number().int(), failed: z.boolean() }).optional(),
  /** True for a call that never began, since a new message came first. */
  skipped: z.literal(true).optional(),
}

export const toolResultSchema = z.object({
  call_id: z.string(),
  /** The canonical name of the tool, for readers of the journal and for vendors that want it. */
  tool: z.string(),
  content: z.array(z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema])),
  ...callEndingShape,
})

export const stopReasons = ['end', 'tools', 'max_tokens', 'refusal', 'pause', 'error', 'aborted'] as const

/** Authors of a user-side message; only `person` speaks with the user's authority. */
export const origins = ['person', 'runtime', 'hook', 'summary'] as const

export const userMessageSchema = z.object({
  role: z.literal('user'),
  origin: z.enum(origins),
  content: z.array(z.discriminatedUnion('type', [textBlockSchema, imageBlockSchema, documentBlockSchema])),
})

export const assistantMessageSchema = z.object({
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(
    z.discriminatedUnion('type', [textBlockSchema, thinkingBlockSchema, toolUseBlockSchema, foreignBlockSchema]),
  ),
  stop: z.enum(stopReasons),
  usage: usageSchema,
  failure: failureSchema.optional(),
  /** The vendor's own name for the request, and dollars that it said the answer cost. */
  request_id: z.string().optional(),
  cost_usd: z.number().nonnegative().optional(),
  /** The tool whose call was cut off with the answer: the call is not in `content`. */
  cut_call: z.string().optional(),
  /** Thinking or calls stood in its text and were taken out; this does not stay in a conversation. */
  repaired: z.literal(true).optional(),
  /** Features that the server made us give up for this message, or took again; they do not stay in a conversation. */
  conceded: z.array(z.object({ feature: z.string(), back: z.boolean(), reason: z.string() })).optional(),
  /**
   * The server's calls of other models for this message; they are not in `usage`, and do not stay in a conversation.
   */
  advice: z.array(z.object({ id: z.string(), model: z.string(), usage: usageSchema })).optional(),
})

/** All results of one assistant message, in the order of its calls. */
export const toolMessageSchema = z.object({ role: z.literal('tool'), results: z.array(toolResultSchema) })

export const messageSchema = z.discriminatedUnion('role', [
  userMessageSchema,
  assistantMessageSchema,
  toolMessageSchema,
])

export type TextBlock = z.infer<typeof textBlockSchema>
export type ThinkingBlock = z.infer<typeof thinkingBlockSchema>
export type ImageBlock = z.infer<typeof imageBlockSchema>
export type DocumentBlock = z.infer<typeof documentBlockSchema>
export type Attachment = z.infer<typeof attachmentSchema>
export type ToolUseBlock = z.infer<typeof toolUseBlockSchema>
export type ForeignBlock = z.infer<typeof foreignBlockSchema>
export type ToolResult = z.infer<typeof toolResultSchema>
export type CallEnding = Pick<ToolResult, keyof typeof callEndingShape>
export type Usage = z.infer<typeof usageSchema>
export type StopReason = (typeof stopReasons)[number]
export type Origin = (typeof origins)[number]
export type UserMessage = z.infer<typeof userMessageSchema>
export type AssistantMessage = z.infer<typeof assistantMessageSchema>
export type ToolMessage = z.infer<typeof toolMessageSchema>
export type Message = z.infer<typeof messageSchema>

export const noUsage: Usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }

/** Both together; the part that went into reasoning is known where either says it. */
export function addUsage(a: Usage, b: Usage): Usage {
  const sum: Usage = {
    input: a.input + b.input,
    output: a.output + b.output,
    cache_read: a.cache_read + b.cache_read,
    cache_write: a.cache_write + b.cache_write,
  }
  for (const count of ['reasoning', 'searches'] as const)
    if (a[count] !== undefined || b[count] !== undefined) sum[count] = (a[count] ?? 0) + (b[count] ?? 0)
  return sum
}

/** `userMessage('Find the bug.')`; the origin defaults to a person. */
export function userMessage(
  text: string,
  origin: Origin = 'person',
  attachments: readonly Attachment[] = [],
): UserMessage {
  return { role: 'user', origin, content: [{ type: 'text', text }, ...attachments] }
}

/** The answer of a model that could not answer. */
export function failedAnswer(model: string, reason: Failure): AssistantMessage {
  return { role: 'assistant', model, content: [], stop: 'error', usage: noUsage, failure: reason }
}

/** A result as a person reads it: its text, and the number of images that came with it. */
export function resultText(result: ToolResult): string {
  const images = result.content.filter(({ type }) => type === 'image').length
  return images > 0 ? `${textOf(result)}\n[${images} image(s)]`.trim() : textOf(result)
}

/** An error result for a call that never ran or did not finish; every `tool_use` needs exactly one result. */
export function errorResult(call_id: string, tool: string, text: string): ToolResult {
  return { call_id, tool, content: [{ type: 'text', text }], is_error: true }
}

/** The result of a call that had not begun when a new message came. */
export function skippedResult(call_id: string, tool: string): ToolResult {
  return { ...errorResult(call_id, tool, 'Skipped: a new message arrived before this call began.'), skipped: true }
}

/** The part of a result that says how the call ended. */
export function endingOf({ is_error, exit, skipped }: ToolResult): CallEnding {
  return { is_error, ...(exit && { exit }), ...(skipped && { skipped }) }
}

/** The text a reader sees, without thinking and calls. */
export function textOf(message: { content: readonly { type: string; text?: string }[] }): string {
  return message.content
    .filter((block) => block.type === 'text')
    .map((block) => block.text ?? '')
    .join('')
}

/** Says whether a message holds nothing but thinking, as far as anybody could read on. */
export function isBlank({ content }: AssistantMessage): boolean {
  return content.every((block) => block.type === 'thinking' || (block.type === 'text' && block.text.trim() === ''))
}

/** The calls a message asks for: the only signal that decides whether the loop goes on. */
export function callsOf(message: AssistantMessage): readonly ToolUseBlock[] {
  return message.content.filter((block) => block.type === 'tool_use')
}
