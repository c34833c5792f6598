import ts from 'typescript'
import { lineOf, visit, type SourceModule } from './source-module.ts'

/** The type checker was switched off: `any`, or a comment that silences it. */
export function givenUpTypes(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) => {
    const found: string[] = []
    visit(tree, (node) => {
      if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(`${file}:${lineOf(tree, node)} uses any`)
    })
    const silenced = commentsWith(tree, /@ts-(ignore|expect-error|nocheck)|(ox|es)lint-disable/)
    return [...found, ...silenced.map(({ line, word }) => `${file}:${line} silences a checker (${word})`)]
  })
}

/** Work that was left for later. */
export function openEnds(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) =>
    commentsWith(tree, /\b(TODO|FIXME|XXX|HACK)\b/).map(
      ({ line, word }) => `${file}:${line} leaves work open (${word})`,
    ),
  )
}

/** Actors are started in one place, so that clock, tap and error observer go in once. */
export function strayActors(
  modules: readonly SourceModule[],
  place = 'src/runtime/actors/spawn.ts',
): readonly string[] {
  const elsewhere = modules.filter(({ file }) => file !== place)
  return elsewhere.flatMap(({ file, tree }) => {
    const found: string[] = []
    visit(tree, (node) => {
      const starts = ts.isIdentifier(node) && (node.text === 'createActor' || node.text === 'interpret')
      if (starts) found.push(`${file}:${lineOf(tree, node)} names ${node.text}; only ${place} starts actors`)
    })
    return found
  })
}

/** Comments are what stands between tokens; a string that holds the same words is not one. */
function commentsWith(tree: ts.SourceFile, words: RegExp): readonly { line: number; word: string }[] {
  const found: { line: number; word: string }[] = []
  for (const token of tokensOf(tree, tree)) {
    const between = tree.text.slice(token.pos, token.getStart(tree))
    const match = words.exec(between)
    if (match)
      found.push({ line: tree.getLineAndCharacterOfPosition(token.pos + match.index).line + 1, word: match[0] })
  }
  return found
}

function tokensOf(node: ts.Node, tree: ts.SourceFile): readonly ts.Node[] {
  const children = node.getChildren(tree).filter((child) => !ts.isJSDoc(child))
  return children.length === 0 ? [node] : children.flatMap((child) => tokensOf(child, tree))
}
