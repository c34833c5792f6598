import type { ToolResult } from '../../protocol/conversation/message.ts'

/** Characters of text in all results of a turn; images do not count. */
export function resultChars(results: readonly ToolResult[]): number {
  let chars = 0
  for (const { content } of results) for (const block of content) if (block.type === 'text') chars += block.text.length
  return chars
}

/** What the model is told when it read more in one turn than it should. */
export function overflowText(chars: number, limit: number): string {
  const figures = `${chars.toLocaleString('en-US')} characters, where ${limit.toLocaleString('en-US')} are meant to be the most`
  return `The results of this turn were ${figures}. Write down what matters in them before you call more tools, and ask for less at a time.`
}
