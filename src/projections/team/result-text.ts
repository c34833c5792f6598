import { textOf, type ToolResult } from '../../protocol/conversation/message.ts'

/** What a person reads of a result: its text, and how many images came with it. */
export function resultText(result: ToolResult): string {
  const images = result.content.filter(({ type }) => type === 'image').length
  return images > 0 ? `${textOf(result)}\n[${images} image(s)]`.trim() : textOf(result)
}
