/** Tests and actions of find with a text behind them: this is no test, whatever it looks like. */
export const findTestWithText =
  /^-(i?(name|path|wholename|lname|regex)|regextype|x?type|(max|min)depth|newer\w*|[ac]newer|[acm](time|min)|size|perm|user|group|uid|gid|links|inum|samefile|fstype|context|used|printf|fprint0?|fls|files0-from)$/

/** A pattern of shells in which only wildcards and dots stand fits nearly any name: `[!x]*`, `*.*`. */
export function fitsAnyName(pattern: string): boolean {
  return /^[*?.]*$/.test(pattern.replaceAll(/\[[!^]?\]?[^\]]*\]/g, '?'))
}

const choosing = /^-(i?name|i?path|i?regex|empty|[acm]?newer|[acm](time|min)|size)$/
const acting = /^-(delete|exec|ok|print|ls|fprint|fls)/

/**
 * Says whether find acts on files alone that it has chosen: each way through its words has a test before its first action.
 *
 * @param values the words of find; empty where only a running shell knows them
 * @example choosesFirst(['.', '-delete', '-name', '*.o']) // false
 */
export function choosesFirst(values: readonly string[]): boolean {
  let chosen = false
  for (const [at, value] of values.entries()) {
    if (/^(-or?|,)$/.test(value) || acting.test(value)) {
      if (!chosen) return false
      if (!acting.test(value)) chosen = false
    } else if (choosing.test(value) && !/^(!|-not)$/.test(values[at - 1] ?? ''))
      chosen ||= !fitsAnyName(values[at + 1] ?? '')
  }
  return chosen
}
