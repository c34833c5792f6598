import type { Redirection } from 'unbash'
import { bashWord, type BashWord } from './bash-word.ts'

/** A file that a redirect opens. */
export interface BashRedirect {
  readonly access: 'read' | 'edit'
  readonly word: BashWord
}

/** Writing to these changes no file. */
const harmless = /^\/dev\/(null|stdout|stderr|tty|fd\/\d+)$/

/** The file behind a redirect, if there is one: not for here-documents, descriptor
 * copies, `<(…)` (whose commands are judged themselves) and `/dev/null`. */
export function bashRedirect(redirect: Redirection): BashRedirect[] {
  if (redirect.type !== 'Redirect' || redirect.target === undefined) return []
  const [part, ...more] = redirect.target.parts ?? []
  if (part?.type === 'ProcessSubstitution' && more.length === 0) return []
  const word = bashWord(redirect.target)
  const duplicates = redirect.operator === '>&' || redirect.operator === '<&'
  if (duplicates && word.value !== null && /^(\d+-?|-)$/.test(word.value)) return []
  if (word.value !== null && harmless.test(word.value)) return []
  const reads = redirect.operator === '<' || redirect.operator === '<&'
  const both = redirect.operator === '<>'
  // A glob as a target names a file that cannot be known beforehand.
  const target = word.glob ? { ...word, value: null } : word
  const opened: BashRedirect = { access: reads ? 'read' : 'edit', word: target }
  return both ? [opened, { access: 'read', word: target }] : [opened]
}
