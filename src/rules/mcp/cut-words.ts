/** Characters of a description, or of a server's instructions, that a model reads. */
const longestWords = 2_048

/** A text of a server at its longest; half of a character never stays. */
export function cutWords(text: string): string {
  const clean = text.replace(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
    '',
  )
  if (clean.length <= longestWords) return clean
  return `${clean.slice(0, longestWords - 1).replace(/[\uD800-\uDBFF]$/, '')}…`
}
