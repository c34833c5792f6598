/** A Markdown file parted from its head of YAML. */
export interface FrontmatterParts {
  readonly head: readonly string[]
  readonly body: string
}

/**
 * Parts a Markdown file from the head between two lines `---` at its beginning.
 *
 * @returns `none` for a file that begins otherwise, `open` where the second line is missing
 * @example partFrontmatter('---\nname: a\n---\nText') // { head: ['name: a'], body: 'Text' }
 */
export function partFrontmatter(text: string): FrontmatterParts | 'none' | 'open' {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  if (lines[0]?.trimEnd() !== '---') return 'none'
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  return end === -1 ? 'open' : { head: lines.slice(1, end), body: lines.slice(end + 1).join('\n') }
}
