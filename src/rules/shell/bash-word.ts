import type { SyntaxNode, Word } from 'unbash'
import { shellGrammar } from './shell-grammar.ts'

/** One word of a command. */
export interface BashWord {
  /** As written, quotes included. */
  readonly text: string
  /** After quote removal; null when expansions make it something only a running shell knows. */
  readonly value: string | null
  /** Holds an unquoted `*`, `?` or `[…]`: stands for the files that match. */
  readonly glob: boolean
}

const expansions = new Set([
  'SimpleExpansion',
  'ParameterExpansion',
  'CommandExpansion',
  'ArithmeticExpansion',
  'ProcessSubstitution',
  'BraceExpansion',
  'ExtendedGlob',
])

/** Reduces a parsed word to what rules compare: its text, its value when that is certain, whether it globs. */
export function bashWord(word: Word): BashWord {
  if (isLiteral(word.text)) return { text: word.text, value: word.text, glob: false }
  const kinds = kindsUnder(word)
  // `~`, `~/x`: the home directory. `~+`, `~-`, `~name`: some other one.
  const certain = kinds.every((kind) => !expansions.has(kind)) && !/^~[^/]/.test(word.text)
  return { text: word.text, value: certain ? word.value : null, glob: kinds.includes('Glob') }
}

/** The text holds no character with a meaning to a shell: its value is the text itself. */
export function isLiteral(text: string): boolean {
  return plain.test(text)
}

const plain = /^[\w@%+=:,./-]+$/

function kindsUnder(node: SyntaxNode): string[] {
  const kinds: string[] = []
  shellGrammar().forEachChild(node, (child) => {
    kinds.push(child.type)
    if (!expansions.has(child.type)) kinds.push(...kindsUnder(child))
  })
  return kinds
}

/** Variables that say which program a name means, or what a program does besides what it is told. */
const steering =
  /^(PATH|IFS|CDPATH|HOME|SHELL|EDITOR|VISUAL|PAGER|BROWSER|SHELLOPTS|BASHOPTS|BASH_ENV|ENV|PS[0-4]|PROMPT_COMMAND|(LD|DYLD|GIT|NODE|PYTHON|PERL\d?|RUBY|JAVA|XDG|LESS|npm_config|BASH_FUNC)_?\w*|\w+_?(OPTIONS|OPTS|OPT|FLAGS|PAGER|EDITOR))$/

/** `steers('PATH')`: a command that follows may be another one now. */
export function steers(variable: string): boolean {
  return steering.test(variable)
}
