import { distance } from 'fastest-levenshtein'

/**
 * Finds the candidate a mistyped word most likely meant, ignoring case: at most two edits away, or more in a longer
 * word. The first of equally near ones wins.
 *
 * @returns `undefined` when nothing is near enough.
 * @example didYouMean('Grpe', ['Read', 'Grep']) // 'Grep'
 */
export function didYouMean(word: string, candidates: readonly string[]): string | undefined {
  // Two edits turn any two-letter word into any other: something of the word has to remain.
  const reach = Math.min(Math.max(2, word.length * 0.3), word.length - 1)
  let nearest = Infinity
  let meant: string | undefined
  for (const candidate of candidates) {
    const edits = distance(word.toLowerCase(), candidate.toLowerCase())
    if (edits > reach || edits >= nearest) continue
    nearest = edits
    meant = candidate
  }
  return meant
}
