import type { ParsedScript, SyntaxNode } from 'unbash'
import { shellGrammar } from '../lines/shell-grammar.ts'

/** The signs that may begin a substitution: `$(`, a backquote, `<(`, `>(`, `${ `. */
const opening = /\$\(|`|[<>]\(|\$\{[\s|]/g

/** Stretches of a source, each from its first character to the one behind its last. */
type Stretches = (readonly [pos: number, end: number])[]

interface Seen {
  readonly source: string
  readonly followed: ReadonlySet<ParsedScript>
  /** Where the substitutions begin and end that the grammar knows of. */
  readonly known: Set<number>
  /** Quoted texts, in which nothing is run. */
  readonly quoted: Stretches
  /** Texts in which `<(` and `>(` are signs like others. */
  readonly plain: Stretches
  /** Words and redirects: a `#` outside of them may begin a comment. */
  readonly words: Stretches
  missed: boolean
}

/**
 * Whether a source may hold a substitution that was not followed. The grammar and the walk over its tree are large; this
 * asks neither of them, but compares the signs in the source with the scripts that were followed, and doubts the rest.
 *
 * @param followed The scripts of the tree that the walk came to.
 * @example missesScripts(parse('echo 2<(date)'), 'echo 2<(date)', new Set()) // true: the grammar takes `2<(date)` for a text
 */
export function missesScripts(script: ParsedScript, source: string, followed: ReadonlySet<ParsedScript>): boolean {
  if (!/[(`{]/.test(source) || source.search(opening) === -1) return false
  const seen: Seen = { source, followed, known: new Set(), quoted: [], plain: [], words: [], missed: false }
  look(script, seen, false)
  if (seen.missed) return true
  for (const { index } of source.matchAll(opening)) if (!isKnown(index, seen)) return true
  return false
}

/** @param counted Whether bash works the text out as a number, or as an operand: quotes in it may count for nothing. */
function look(node: SyntaxNode, seen: Seen, counted: boolean): void {
  const { pos, end } = node
  switch (node.type) {
    case 'CommandExpansion':
    case 'ArithmeticCommandExpansion':
    case 'ProcessSubstitution':
      lookInside(node, seen)
      return
    case 'ArithmeticExpansion':
      seen.known.add(pos)
      break
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      if (!counted) seen.quoted.push([pos, end])
      return
    case 'DoubleQuoted':
    case 'LocaleString':
    case 'HereDocBody':
      for (const part of node.parts ?? []) if (part.type === 'Literal') seen.plain.push([part.pos, part.end])
      break
    case 'HereDoc':
      if (node.delimiter?.quoted === true) seen.quoted.push([node.body.pos, node.body.end])
      seen.words.push([node.body.pos, node.body.end])
      break
    case 'Word':
    case 'Assignment':
    case 'Redirect':
    case 'HereString':
      seen.words.push([pos, end])
      break
    default:
  }
  const inside = counted || node.type === 'ParameterExpansion' || node.type.startsWith('Arithmetic')
  shellGrammar().forEachChild(node, (child) => look(child, seen, inside))
}

function lookInside({ pos, end, script }: Extract<SyntaxNode, { script: unknown }>, seen: Seen): void {
  const { source } = seen
  const closed = source[pos] === '`' ? end - pos > 1 && source[end - 1] === '`' : /[)}]/.test(source[end - 1] ?? '')
  if (script === undefined || !closed || !seen.followed.has(script)) {
    seen.missed = true
    return
  }
  seen.known.add(pos)
  if (source[pos] !== '`') {
    look(script, seen, false)
    return
  }
  seen.known.add(end - 1)
  const inner = source.slice(pos + 1, end - 1)
  if (!inner.includes('\\')) {
    look(script, seen, false)
    return
  }
  // The grammar reads such a script as a source of its own.
  seen.quoted.push([pos, end])
  if (missesScripts(script, inner.replaceAll(/\\([$`\\])/g, '$1'), seen.followed)) seen.missed = true
}

function isKnown(at: number, { source, known, quoted, plain, words }: Seen): boolean {
  if (known.has(at) || holds(quoted, at)) return true
  if (isEscaped(at, source)) return true
  if (/[<>]/.test(source[at] ?? '') && holds(plain, at)) return true
  if (holds(words, at)) return false
  const line = source.slice(source.lastIndexOf('\n', at) + 1, at)
  return /(^|[\s;&|])#/.test(line)
}

function isEscaped(at: number, source: string): boolean {
  let before = at
  while (source[before - 1] === '\\') before -= 1
  return (at - before) % 2 === 1
}

function holds(stretches: Stretches, at: number): boolean {
  return stretches.some(([pos, end]) => at >= pos && at < end)
}
