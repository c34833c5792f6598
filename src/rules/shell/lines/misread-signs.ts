/** Letters between a capital and a small one: bash makes other signs of these braces, a backquote among them. */
const otherSigns = /\{(?:[A-Z]\.\.[a-z]|[a-z]\.\.[A-Z])/

/**
 * Says why bash may read a script in another way than its syntax tree; null where it does not.
 *
 * @example misread('echo {Z..a}') // bash runs what stands between two backquotes
 */
export function misread(script: string): string | null {
  if (goesOnInWord(script)) return 'a line of the command goes on inside of a word'
  if (/\$'(?:[^'\\]|\\.)*?\\x\{/s.test(script)) return 'the command holds a sign by its number in braces'
  return otherSigns.test(script) ? 'the command holds braces that make other signs than letters' : null
}

/**
 * Bash takes a line end away behind a backslash before it reads anything else: a sign, a name or a delimiter may end, or go
 * on, behind it. Quotes are looked at where nothing but plain ones stands on the line.
 */
function goesOnInWord(line: string): boolean {
  if (!line.includes('\\\n')) return false
  const bare = /["`#$]|<<|\\'/.test(line) ? line : line.replaceAll(/'[^']*'/g, '')
  return /[^\s]\\\n[^\s]|[^\s|&;(]\\\n|^\\\n|<<-?[ \t]*\\\n/.test(bare)
}
