import ts from 'typescript'
import { exceptions, layerOf, type Exception, type Reading } from './layers.ts'
import { lineOf, visit, type SourceModule } from './source-module.ts'

/** Globals by what they read. `Date`, `Math` and `process` are finer and have their own rules below. */
const globals: Readonly<Record<string, Reading>> = {
  performance: 'clock',
  crypto: 'random',
  globalThis: 'environment',
  navigator: 'environment',
  setTimeout: 'timer',
  setInterval: 'timer',
  setImmediate: 'timer',
  queueMicrotask: 'timer',
  fetch: 'io',
  console: 'io',
  WebSocket: 'io',
}
const processMembers: Readonly<Record<string, Reading>> = {
  env: 'environment',
  cwd: 'environment',
  argv: 'environment',
  hrtime: 'clock',
  uptime: 'clock',
}
const members: Readonly<Record<string, Reading>> = {
  randomUUID: 'random',
  randomBytes: 'random',
  randomInt: 'random',
  getRandomValues: 'random',
  homedir: 'environment',
  userInfo: 'environment',
}
const modulesThatRead: Readonly<Record<string, Reading>> = {
  'node:perf_hooks': 'clock',
  'node:timers': 'timer',
  'node:timers/promises': 'timer',
}

interface Read {
  readonly reading: Reading
  readonly words: string
  readonly line: number
}

/** Reads of clock, random, environment and the like where the layer must be handed them. */
export function outsideReads(
  modules: readonly SourceModule[],
  allowed: readonly Exception[] = exceptions,
): readonly string[] {
  return modules.flatMap((module) => {
    const unread = layerOf(module.file)?.unread ?? []
    if (unread.length === 0) return []
    const excused = allowed.filter(({ file }) => file === module.file).flatMap(({ reads }) => reads)
    return readsOf(module)
      .filter(({ reading }) => unread.includes(reading) && !excused.includes(reading))
      .map(({ reading, words, line }) => `${module.file}:${line} reads the ${reading} (${words}); take it as input`)
  })
}

/** Exceptions that nothing needs any more. */
export function staleExceptions(
  modules: readonly SourceModule[],
  allowed: readonly Exception[] = exceptions,
): readonly string[] {
  return allowed.flatMap(({ file, reads }) => {
    const module = modules.find((candidate) => candidate.file === file)
    const read = module ? readsOf(module).map(({ reading }) => reading) : []
    return reads
      .filter((reading) => !read.includes(reading))
      .map((reading) => `${file}: no longer reads the ${reading}`)
  })
}

function readsOf({ tree, imports }: SourceModule): readonly Read[] {
  const found: Read[] = []
  const own = declaredNames(tree)
  visit(tree, (node) => {
    const reading = readingOf(node, own)
    if (reading) found.push({ reading, words: node.getText(tree).slice(0, 40), line: lineOf(tree, node) })
  })
  for (const { specifier, line } of imports) {
    const reading = modulesThatRead[specifier ?? '']
    if (reading) found.push({ reading, words: String(specifier), line })
  }
  return found
}

function readingOf(node: ts.Node, own: ReadonlySet<string>): Reading | undefined {
  if (ts.isMetaProperty(node)) return node.keywordToken === ts.SyntaxKind.ImportKeyword ? 'place' : undefined
  if (ts.isNewExpression(node) || ts.isCallExpression(node)) return readingOfCall(node)
  if (ts.isImportSpecifier(node)) return readingOfImport(node)
  if (ts.isImportClause(node) && isFromProcess(node) && !isNamed(node)) return 'environment'
  if (ts.isPropertyAccessExpression(node)) return readingOfMember(node)
  if (!ts.isIdentifier(node) || own.has(node.text) || !isRead(node)) return undefined
  return globals[node.text] ?? (node.text === 'process' ? readingOfProcess(node.parent) : undefined)
}

/** `new Date()` and `Date()` read the clock; `new Date(at)` does not. */
function readingOfCall(node: ts.NewExpression | ts.CallExpression): Reading | undefined {
  const isDate = ts.isIdentifier(node.expression) && node.expression.text === 'Date'
  return isDate && (node.arguments?.length ?? 0) === 0 ? 'clock' : undefined
}

function readingOfImport(node: ts.ImportSpecifier): Reading | undefined {
  const name = (node.propertyName ?? node.name).text
  return isFromProcess(node.parent.parent) ? (processMembers[name] ?? 'process') : members[name]
}

function isFromProcess({ parent }: ts.ImportClause): boolean {
  return ts.isStringLiteral(parent.moduleSpecifier) && parent.moduleSpecifier.text === 'node:process'
}

/** Imported by name, each part says what it reads; the whole process may read anything. */
function isNamed({ name, namedBindings }: ts.ImportClause): boolean {
  return !name && namedBindings !== undefined && ts.isNamedImports(namedBindings)
}

function readingOfMember({ expression, name }: ts.PropertyAccessExpression): Reading | undefined {
  const owner = ts.isIdentifier(expression) ? expression.text : ''
  if (owner === 'Date' && name.text === 'now') return 'clock'
  if (owner === 'Math' && name.text === 'random') return 'random'
  return members[name.text]
}

function readingOfProcess(parent: ts.Node): Reading {
  const member = ts.isPropertyAccessExpression(parent) ? parent.name.text : ''
  return processMembers[member] ?? 'process'
}

/** An identifier in a place where its value is read: no declaration, no key, no member name, no type. */
function isRead(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isShorthandPropertyAssignment(parent)) return true
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent) || ts.isPartOfTypeNode(node)) return false
  if (ts.isTypeQueryNode(parent) || ts.isQualifiedName(parent)) return false
  return (parent as ts.NamedDeclaration).name !== node
}

function declaredNames(tree: ts.SourceFile): ReadonlySet<string> {
  const names = new Set<string>()
  visit(tree, (node) => {
    const declares =
      ts.isVariableDeclaration(node) ||
      ts.isParameter(node) ||
      ts.isBindingElement(node) ||
      ts.isFunctionDeclaration(node) ||
      ts.isImportClause(node) ||
      ts.isImportSpecifier(node) ||
      ts.isNamespaceImport(node)
    if (declares && node.name && ts.isIdentifier(node.name)) names.add(node.name.text)
  })
  return names
}
