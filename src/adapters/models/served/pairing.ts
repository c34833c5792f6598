import {
  callsOf,
  errorResult,
  type Attachment,
  type ImageBlock,
  type TextBlock,
  type ToolResult,
} from '../../../protocol/conversation/message.ts'
import type { Round } from './history.ts'
import { noteOf } from './image-view.ts'
import { isRecord } from '../../../protocol/words/is-record.ts'

/** The results of a round's calls, one for each, in order; a call without one is answered by an error. */
export function resultsOf({ said, replies }: Round): readonly ToolResult[] {
  const results = new Map<string, ToolResult>()
  for (const reply of replies) {
    if (reply.role !== 'tool') continue
    for (const result of reply.results) results.set(result.call_id, result)
  }
  return said
    .flatMap((message) => (goesOut(message) ? callsOf(message) : []))
    .map(
      ({ id, name }) => results.get(id) ?? errorResult(id, name, 'No result was recorded: the call was interrupted.'),
    )
}

/** Whether calls and foreign blocks of this message may be sent: an answer that broke off has only words. */
export function goesOut({ stop }: { readonly stop: string }): boolean {
  return stop !== 'error' && stop !== 'aborted'
}

/** The words on the user's side of a round, beside results. Blocks without content are refused by servers. */
export function wordsOf({ replies }: Round): readonly Word[] {
  return replies.flatMap((reply) => (reply.role === 'user' ? sendable(reply.content) : []))
}

/** A piece of what is said to a model. */
export type Word = TextBlock | Attachment

/** Documents as the text in them. */
export function inText(words: readonly Word[]): readonly (TextBlock | ImageBlock)[] {
  return words.map((block) =>
    block.type === 'document' ? { type: 'text', text: `[${block.name}, a PDF as text]\n${block.text}` } : block,
  )
}

/** Without empty texts; an image that cannot be shown becomes a note. */
export function sendable<Block extends Word>(content: readonly Block[]): readonly (Block | TextBlock | ImageBlock)[] {
  return content
    .map((block) => (block.type === 'image' ? shown(block) : block))
    .filter((block) => block.type !== 'text' || block.text.trim() !== '')
}

/** Arguments as servers take them back: an object, also where the model wrote something else. */
export function argumentsOf({
  input,
  malformed,
}: {
  readonly input: unknown
  readonly malformed?: string | undefined
}): unknown {
  if (malformed !== undefined) return { INVALID_JSON: malformed }
  const isObject = isRecord(input)
  return isObject ? input : { INVALID_JSON: JSON.stringify(input) }
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function shown(image: ImageBlock): TextBlock | ImageBlock {
  return imageTypes.has(image.media_type) ? image : noteOf(image, 'which cannot be shown')
}
