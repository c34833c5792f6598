import ts from 'typescript'
import { commentsIn } from './comments.ts'
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

function commentsWith(tree: ts.SourceFile, words: RegExp): readonly { line: number; word: string }[] {
  return commentsIn(tree).flatMap(({ line, text }) => {
    const match = words.exec(text)
    return match ? [{ line: line + text.slice(0, match.index).split('\n').length - 1, word: match[0] }] : []
  })
}
