import ts from 'typescript'
import { commentsIn } from './comments.ts'
import { lineOf, type SourceModule } from './source-module.ts'

/** Words that point at something the reader has not met yet. */
const pointing = new Set(
  (
    'it its they their them he she who whoever whom whose what whatever nobody somebody anybody everybody everyone ' +
    'nothing something everything anything those that there such'
  ).split(' '),
)

/** Words that add nothing to a name. */
const fillers = new Set('a an the of to for in on at by and or is are be was its all one with from as'.split(' '))

/** Comments whose first word points at nothing: a comment begins with the noun that it is about. */
export function pointingComments(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) =>
    commentsOf(tree)
      .filter(({ text }) => pointing.has(wordsOf(text)[0] ?? ''))
      .map(({ line, text }) => `${file}:${line} begins with "${text.split(/\s/)[0]}": name the subject`),
  )
}

/** Figures of a measurement age, and no reader can check them: they stand in bench/RESULTS.md. */
export function measuredComments(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) =>
    commentsOf(tree)
      .filter(({ text }) => /\d ?%|\d (per cent|percent)\b|\b(µs|microseconds?)\b/.test(text))
      .map(({ line }) => `${file}:${line} gives a measured figure: bench/RESULTS.md is its place`),
  )
}

/** Comments that say no word which the commented name does not say. */
export function repeatingComments(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) => {
    const found: string[] = []
    const look = (node: ts.Node): void => {
      const name = ts.isVariableStatement(node) ? node.declarationList.declarations[0]?.name : nameOf(node)
      const comment = ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)
      if (name && comment && ts.isIdentifier(name) && repeats(textOf(comment.getText(tree)), name.text))
        found.push(`${file}:${lineOf(tree, comment)} repeats the name ${name.text}`)
      ts.forEachChild(node, look)
    }
    look(tree)
    return [...new Set(found)]
  })
}

function repeats(comment: string, name: string): boolean {
  const known = new Set(name.split(/(?=[A-Z])|_/).map((word) => stem(word.toLowerCase())))
  return wordsOf(comment).every((word) => fillers.has(word) || known.has(stem(word)))
}

function stem(word: string): string {
  return word.replace(/(ies|es|s)$/, '')
}

function nameOf(node: ts.Node): ts.Node | undefined {
  return ts.isParameter(node) ? undefined : (node as ts.NamedDeclaration).name
}

interface Comment {
  readonly line: number
  readonly text: string
}

/** Each comment once; lines of `//` that follow on each other are one. */
function commentsOf(tree: ts.SourceFile): readonly Comment[] {
  const found: Comment[] = []
  let last = -2
  for (const { line, text, short } of commentsIn(tree)) {
    const follows = short && line === last + 1
    last = short ? line : -2
    if (!follows) found.push({ line, text: textOf(text) })
  }
  return found
}

function textOf(comment: string): string {
  return comment
    .replace(/^\/\*\*?|\*\/$|^\/\//g, '')
    .replace(/^\s*\* ?/gm, '')
    .trim()
}

function wordsOf(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z][a-z'’-]*/g) ?? []
}
