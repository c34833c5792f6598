import ts from 'typescript'

/** How many lines of a TypeScript text carry code: a token stands on them, and more than blanks within that token. */
export function codeLines(file: string, text: string): number {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const lines = new Set<number>()
  collect(tree, tree, lines)
  const written = text.split(/\r?\n/)
  return [...lines].filter((line) => written[line]?.trim() !== '').length
}

/** Comments are no tokens: they lie between them, but for JSDoc, which the tree holds as nodes of its own. */
function collect(node: ts.Node, tree: ts.SourceFile, lines: Set<number>): void {
  if (ts.isJSDoc(node)) return
  const parts = node.getChildren(tree)
  for (const part of parts) collect(part, tree, lines)
  if (parts.length > 0 || node.getStart(tree) === node.end) return
  const first = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line
  const last = tree.getLineAndCharacterOfPosition(node.end).line
  for (let line = first; line <= last; line += 1) lines.add(line)
}
