import type { PutText } from '../../../protocol/tools/text-store.ts'

/** Characters of a stored text that a result shows. */
export const previewChars = 8_000

/** The note to the model about a text of which the result shows both ends. */
export function whereTheRestIs(chars: number, { path, cut = 0 }: PutText & { readonly cut?: number }): string {
  const all = `${chars.toLocaleString('en-US')} characters`
  const kept = cut === 0 ? `All ${all} are` : `Of ${all} all but ${cut.toLocaleString('en-US')} bytes in the middle are`
  return `[This is the beginning and the end. ${kept} in ${path}: page through it with Read, or search it with Grep.]`
}
