import { globSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import ts from 'typescript'

/** One import of any kind: static, type-only, re-export, `import('x').T` in a type, or dynamic. */
export interface Import {
  readonly line: number
  /** Null when the target of a dynamic import is computed. */
  readonly specifier: string | null
  /** The imported file when the specifier is relative, from the root of the repository. */
  readonly file: string | null
}

export interface SourceModule {
  /** From the root of the repository, with `/`. */
  readonly file: string
  readonly tree: ts.SourceFile
  readonly lines: number
  readonly imports: readonly Import[]
}

/** Parses one module; also used on the offending samples that prove the checks. */
export function parseModule(file: string, text: string): SourceModule {
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const imports: Import[] = []
  visit(tree, (node) => {
    const specifier = importedBy(node)
    if (specifier === undefined) return
    const relative = specifier?.startsWith('.') ?? false
    const target = relative && specifier !== null ? posix.join(posix.dirname(file), specifier) : null
    imports.push({ line: lineOf(tree, node), specifier, file: target })
  })
  return { file, tree, lines: text.split('\n').length - (text.endsWith('\n') ? 1 : 0), imports }
}

/** All modules of the product: `src/` and `machines/`. */
export function readModules(root: string): readonly SourceModule[] {
  const files = globSync(['src/**/*.{ts,tsx,mts,cts,js,mjs,cjs}', 'machines/**/*.{ts,tsx,mts,cts,js,mjs,cjs}'], {
    cwd: root,
  })
  return files.toSorted().map((file) => {
    const path = file.replaceAll('\\', '/')
    return parseModule(path, readFileSync(join(root, file), 'utf8'))
  })
}

export function visit(node: ts.Node, see: (node: ts.Node) => void): void {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

export function lineOf(tree: ts.SourceFile, node: ts.Node): number {
  return tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
}

/** The specifier a node imports, null when it is computed, undefined when the node imports nothing. */
function importedBy(node: ts.Node): string | null | undefined {
  if (ts.isImportDeclaration(node)) return literal(node.moduleSpecifier)
  if (ts.isExportDeclaration(node)) return node.moduleSpecifier ? literal(node.moduleSpecifier) : undefined
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? literal(node.argument.literal) : null
  if (ts.isExternalModuleReference(node)) return literal(node.expression)
  if (!ts.isCallExpression(node)) return undefined
  const { kind } = node.expression
  const required = ts.isIdentifier(node.expression) && node.expression.text === 'require'
  return kind === ts.SyntaxKind.ImportKeyword || required ? literal(node.arguments[0]) : undefined
}

function literal(node: ts.Node | undefined): string | null {
  return node && ts.isStringLiteralLike(node) ? node.text : null
}
