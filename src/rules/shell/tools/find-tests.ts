/** Tests and actions of find with a text behind them: this is no test, whatever it looks like. */
export const findTestWithText =
  /^-(i?(name|path|wholename|lname|regex)|regextype|x?type|(max|min)depth|newer\w*|[ac]newer|[acm](time|min)|size|perm|user|group|uid|gid|links|inum|samefile|fstype|context|used|printf|fprint0?|fls|files0-from)$/

/** A pattern, of names or whole paths, in which only wildcards stand fits nearly all: `[!x]*`, `*.*`, `.+`. */
export function fitsAnyName(pattern: string): boolean {
  return /^[*?.+/\\^$()]*$/.test(pattern.replaceAll(/\[[!^]?\]?(\[:\w+:\]|[^\]])*\]/g, '?'))
}

/** Tests for names. Sizes and times, of which most files may have some, choose nothing. */
const choosing = /^-(i?name|i?path|i?wholename|i?regex)$/
const acting = /^-(delete|exec|ok|print|ls|fprint|fls)/

/**
 * Says whether find acts on files alone that it has chosen: each way through its words has a test before its first action.
 *
 * @param values the words of find; empty where only a running shell knows them
 * @example choosesFirst(['.', '-delete', '-name', '*.o']) // false
 */
export function choosesFirst(values: readonly string[]): boolean {
  let chosen = false
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? ''
    const negated = /^(!|-not)$/.test(values[at - 1] ?? '')
    if (negated && value === '(') return false
    if (/^(-or?|,)$/.test(value) || acting.test(value)) {
      if (!chosen) return false
      if (!acting.test(value)) chosen = false
    } else if (!negated && value === '-empty') chosen = true
    else if (findTestWithText.test(value)) {
      // The word behind is a text, whatever it looks like.
      at += 1
      chosen ||= choosing.test(value) && !negated && !fitsAnyName(values[at] ?? '')
    }
  }
  return chosen
}
