import type { ToolOutput } from '../../../protocol/tools/tool.ts'

/** A result in words: `answer('Created /a.txt')`. */
export function answer(text: string): ToolOutput {
  return { content: [{ type: 'text', text }] }
}

/** A result that tells the model what went wrong and, where there is one, the remedy. */
export function complaint(text: string): ToolOutput {
  return { content: [{ type: 'text', text }], isError: true }
}

/** `plural(1, 'file')` → `1 file`, `plural(1200, 'match', 'matches')` → `1,200 matches`. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`
}
