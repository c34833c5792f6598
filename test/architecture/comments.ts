import ts from 'typescript'
import { visit } from './source-module.ts'

/** A comment as it stands in the file, from its first slash to its end. */
export interface SourceComment {
  readonly line: number
  readonly text: string
  /** True for a comment that ends with its line. */
  readonly short: boolean
}

const known = new WeakMap<ts.SourceFile, readonly SourceComment[]>()

/** Comments of a file in their order; a string that looks like one is none. */
export function commentsIn(tree: ts.SourceFile): readonly SourceComment[] {
  const before = known.get(tree)
  if (before) return before
  const found = [...withoutLiterals(tree).matchAll(/\/\*[^]*?\*\/|\/\/.*/g)].map(({ index, 0: text }) => ({
    line: tree.getLineAndCharacterOfPosition(index).line + 1,
    text: tree.text.slice(index, index + text.length),
    short: text.startsWith('//'),
  }))
  known.set(tree, found)
  return found
}

/** The text with blanks for strings, templates and regular expressions: what is left of a slash begins a comment. */
function withoutLiterals(tree: ts.SourceFile): string {
  const parts: string[] = []
  let from = 0
  visit(tree, (node) => {
    if (!isLiteral(node)) return
    const start = node.getStart(tree)
    parts.push(tree.text.slice(from, start), ' '.repeat(node.end - start))
    from = node.end
  })
  return [...parts, tree.text.slice(from)].join('')
}

function isLiteral(node: ts.Node): boolean {
  return (
    ts.isStringLiteral(node) ||
    ts.isRegularExpressionLiteral(node) ||
    ts.isNoSubstitutionTemplateLiteral(node) ||
    ts.isTemplateHead(node) ||
    ts.isTemplateMiddleOrTemplateTail(node)
  )
}
