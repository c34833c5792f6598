import ts from 'typescript'
import type { SourceModule } from './source-module.ts'

const longest = 300
const medianLimit = 100
const packageEntries = ['src/index.ts', 'src/agent.ts', 'src/tools.ts', 'src/runs.ts']

export function overlongFiles(modules: readonly SourceModule[]): readonly string[] {
  return modules
    .filter(({ lines }) => lines > longest)
    .map(({ file, lines }) => `${file}: ${lines} lines, more than ${longest}`)
}

/** The middle file says whether files as a rule hold one job. */
export function overlongMedian(modules: readonly SourceModule[]): readonly string[] {
  const sizes = modules.map(({ lines }) => lines).toSorted((a, b) => a - b)
  const median = sizes[Math.floor(sizes.length / 2)] ?? 0
  return median > medianLimit ? [`the median file has ${median} lines, more than ${medianLimit}`] : []
}

/** Files that hold nothing but re-exports hide where things live. */
export function barrels(modules: readonly SourceModule[]): readonly string[] {
  const files = modules.filter(({ file, tree: { statements } }) => {
    return !packageEntries.includes(file) && statements.some(ts.isExportDeclaration) && statements.every(passesOn)
  })
  return files.map(({ file }) => `${file}: only re-exports; import from where things are`)
}

function passesOn(statement: ts.Statement): boolean {
  return ts.isExportDeclaration(statement) || ts.isImportDeclaration(statement)
}

export function defaultExports(modules: readonly SourceModule[]): readonly string[] {
  return modules
    .filter(({ tree }) => tree.statements.some(isDefaultExport))
    .map(({ file }) => `${file}: has a default export`)
}

function isDefaultExport(statement: ts.Statement): boolean {
  if (ts.isExportAssignment(statement)) return true
  if (ts.isExportDeclaration(statement)) {
    const clause = statement.exportClause
    return (
      clause !== undefined && ts.isNamedExports(clause) && clause.elements.some(({ name }) => name.text === 'default')
    )
  }
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword) ?? false
}
