import type { ToolOutput, ToolContext } from '../../../protocol/tools/tool.ts'
import type { PutText } from '../../../protocol/tools/text-store.ts'

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

/** Why a coordination tool cannot act, or null when the member belongs to a team. */
export function noTeam(context: Pick<ToolContext, 'team'>): string | null {
  return context.team ? null : 'This agent works alone: there is no team to talk to.'
}

/** Characters of a stored text that a result shows. */
export const previewChars = 8_000

/** The note to the model about a text of which the result shows both ends. */
export function whereTheRestIs(chars: number, { path, cut = 0 }: PutText & { readonly cut?: number }): string {
  const all = `${chars.toLocaleString('en-US')} characters`
  const kept = cut === 0 ? `All ${all} are` : `Of ${all} all but ${cut.toLocaleString('en-US')} bytes in the middle are`
  return `[This is the beginning and the end. ${kept} in ${path}: page through it with Read, or search it with Grep.]`
}
