/**
 * A text of Markdown as one line without its signs: a glance, not the text.
 *
 * @example glanceText('## Done\n**All** [tests](a.ts) pass.') // 'Done All tests pass.'
 */
export function glanceText(text: string): string {
  return text
    .slice(0, 400)
    .replace(/^#+ /gm, '')
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*`|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}
