import ts from 'typescript'
import { lineOf, visit, type SourceModule } from './source-module.ts'

/** Keys of a chart whose value may be a function by name: people see the port, not how its input is made. */
const named = new Set(['context', 'input', 'output', 'params'])

/**
 * The chart of a machine is one literal, so that an import of the file shows it whole: between `createMachine({` and its
 * end nothing is spread, and no state, transition, guard or action is a value from elsewhere.
 */
export function scatteredCharts(modules: readonly SourceModule[]): readonly string[] {
  return modules.flatMap(({ file, tree }) => {
    const found: string[] = []
    visit(tree, (node) => {
      if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return
      const { text } = node.expression.name
      if (text === 'createStateConfig') found.push(`${file}:${lineOf(tree, node)} makes a state apart from its chart`)
      if (text === 'createMachine' && node.arguments[0]) found.push(...foreignParts(node.arguments[0], file, tree))
    })
    return found
  })
}

function foreignParts(node: ts.Node, file: string, tree: ts.SourceFile): readonly string[] {
  if (ts.isObjectLiteralExpression(node)) return node.properties.flatMap((part) => foreignParts(part, file, tree))
  if (ts.isArrayLiteralExpression(node)) return node.elements.flatMap((part) => foreignParts(part, file, tree))
  if (ts.isPropertyAssignment(node)) {
    const isNamed = ts.isIdentifier(node.name) && named.has(node.name.text)
    return isNamed && ts.isIdentifier(node.initializer) ? [] : foreignParts(node.initializer, file, tree)
  }
  return isPlain(node)
    ? []
    : [`${file}:${lineOf(tree, node)} takes a part of a chart from elsewhere: ${node.getText(tree)}`]
}

function isPlain(node: ts.Node): boolean {
  if (ts.isAsExpression(node)) return isPlain(node.expression)
  const { TrueKeyword, FalseKeyword, NullKeyword, ArrowFunction } = ts.SyntaxKind
  return ts.isLiteralExpression(node) || [TrueKeyword, FalseKeyword, NullKeyword, ArrowFunction].includes(node.kind)
}
