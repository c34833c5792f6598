import { textOf, type ToolResult } from '../../protocol/conversation/message.ts'

/** A result as a person reads it: its text, and the number of images that came with it. */
export function resultText(result: ToolResult): string {
  const images = result.content.filter(({ type }) => type === 'image').length
  return images > 0 ? `${textOf(result)}\n[${images} image(s)]`.trim() : textOf(result)
}
