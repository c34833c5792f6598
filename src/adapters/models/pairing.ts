import { callsOf, errorResult, type ImageBlock, type TextBlock, type ToolResult } from '../../protocol/message.ts'
import type { Round } from './history.ts'

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

/** What was said on the user's side of a round, beside results. Blocks without content are refused by servers. */
export function wordsOf({ replies }: Round): readonly (TextBlock | ImageBlock)[] {
  return replies.flatMap((reply) => (reply.role === 'user' ? sendable(reply.content) : []))
}

/** Without empty texts; an image of a kind that no vendor takes becomes a note. */
export function sendable(content: readonly (TextBlock | ImageBlock)[]): readonly (TextBlock | ImageBlock)[] {
  return content
    .map((block) => (block.type === 'image' && !imageTypes.has(block.media_type) ? noteOf(block) : block))
    .filter((block) => block.type === 'image' || block.text.trim() !== '')
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
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input)
  return isObject ? input : { INVALID_JSON: JSON.stringify(input) }
}

/** A name that no vendor's pattern refuses. */
export function plainName(name: string): string {
  return name.replaceAll(/[^\w-]/g, '_').slice(0, 64) || '_'
}

const imageTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

function noteOf({ media_type }: ImageBlock): TextBlock {
  return { type: 'text', text: `[an image of type ${media_type}, which cannot be shown]` }
}
