import { createRequire } from 'node:module'
import type * as unbash from 'unbash'

type ShellGrammar = typeof unbash

let known: ShellGrammar | undefined

/**
 * The grammar that shell lines are parsed with. It is large, and most processes never see a shell line: it is loaded
 * with the first one, and no earlier.
 *
 * @example shellGrammar().parse('git status && ls')
 */
export function shellGrammar(): ShellGrammar {
  known ??= createRequire(import.meta.url)('unbash') as ShellGrammar
  return known
}
