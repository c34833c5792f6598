import ts from 'typescript'
import type { SourceModule } from './source-module.ts'

/** Words that say nothing about the job. */
const empty = new Set(['util', 'utils', 'helper', 'helpers', 'common', 'core', 'manager', 'service', 'misc'])
const kebab = /^[a-z0-9]+(-[a-z0-9]+)*\.ts$/
/** Elements are written as such where a page is built; everything else runs as it stands. */
const built = /^src\/ui\/web\/dashboard\/(.*\/)?[a-z0-9]+(-[a-z0-9]+)*\.tsx$/

/** File and folder names by any of their words, exported names by their last one, which says what a thing is. */
export function emptyNames(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) => {
    const parts = file.split('/').filter((part) => wordsOf(part).some((word) => empty.has(word)))
    const names = exportedNames(tree).filter((name) => empty.has(wordsOf(name).at(-1) ?? ''))
    return [...parts, ...names].map((name) => `${file}: "${name}" does not say its job`)
  })
}

export function oddFileNames(modules: readonly SourceModule[]): readonly string[] {
  return modules
    .filter(({ file }) => !kebab.test(file.slice(file.lastIndexOf('/') + 1)) && !built.test(file))
    .map(({ file }) => `${file}: file names are kebab-case and end in .ts`)
}

/** What `createMachine` returns is exported as `<name>Machine`. */
export function unnamedMachines(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) =>
    exportedVariables(tree)
      .filter(({ initializer }) => initializer?.getText(tree).includes('.createMachine(') ?? false)
      .map(({ name }) => name.getText(tree))
      .filter((name) => !name.endsWith('Machine'))
      .map((name) => `${file}: call "${name}" <name>Machine`),
  )
}

/** Names that two files export: a reader who searches one of them finds the other thing. */
export function doubledExports(modules: readonly SourceModule[]): readonly string[] {
  const places = new Map<string, string[]>()
  for (const { file, tree } of modules)
    for (const name of new Set(exportedNames(tree))) places.set(name, [...(places.get(name) ?? []), file])
  return [...places]
    .filter(([, files]) => files.length > 1)
    .map(([name, files]) => `${name} is exported by ${files.join(' and ')}`)
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[-_.]|(?=[A-Z])/).map((word) => word.toLowerCase())
}

function exportedNames(tree: ts.SourceFile): readonly string[] {
  const variables = exportedVariables(tree).map(({ name }) => name.getText(tree))
  const others = tree.statements
    .filter(isExported)
    .filter((statement) => ts.isDeclarationStatement(statement))
    .flatMap(({ name }) => (name ? [name.getText(tree)] : []))
  return [...variables, ...others]
}

function exportedVariables(tree: ts.SourceFile): readonly ts.VariableDeclaration[] {
  return tree.statements
    .filter(isExported)
    .flatMap((statement) => (ts.isVariableStatement(statement) ? statement.declarationList.declarations : []))
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false
}
