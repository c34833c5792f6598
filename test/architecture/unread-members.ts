import ts from 'typescript'
import { lineOf, visit, type SourceModule } from './source-module.ts'

/** A member that is declared for readers outside of this code, and who they are. */
export interface OutsideReader {
  readonly member: string
  readonly why: string
}

/** Members that the product writes for others. An entry that is no longer needed is a failure. */
export const outsideReaders: readonly OutsideReader[] = [
  { member: 'Agent.warmup', why: 'called by users of the package' },
  { member: 'AgentRun.followUp', why: 'called by users of the package' },
  { member: 'Sessions.warmup', why: 'called by users of the package' },
  { member: 'DescribedTool.requires_interaction', why: 'printed by `troupe tools describe --json`' },
]

/**
 * Members of interfaces whose name no line reads: by a dot, by taking an object apart, or by a string. The author of such a
 * member believes that something follows from it. Types are not asked: an object may be read under another type's name.
 *
 * @returns `file:line Interface.member`
 */
export function unreadMembers(
  modules: readonly SourceModule[],
  outside: readonly OutsideReader[] = [],
): readonly string[] {
  const read = new Set(modules.flatMap(({ tree }) => namesRead(tree)))
  const excused = new Set(outside.map(({ member }) => member))
  return modules.flatMap(({ file, tree }) =>
    membersOf(tree)
      .filter(({ owner, name }) => !read.has(name) && !excused.has(`${owner}.${name}`))
      .map(({ owner, name, line }) => `${file}:${line} nobody reads ${owner}.${name}`),
  )
}

/** Excuses for members that are read after all, or that no interface has. */
export function staleReaders(modules: readonly SourceModule[], outside: readonly OutsideReader[]): readonly string[] {
  const unread = new Set(unreadMembers(modules).map((complaint) => complaint.slice(complaint.lastIndexOf(' ') + 1)))
  return outside.filter(({ member }) => !unread.has(member)).map(({ member }) => `${member} needs no excuse`)
}

interface DeclaredMember {
  readonly owner: string
  readonly name: string
  readonly line: number
}

function membersOf(tree: ts.SourceFile): readonly DeclaredMember[] {
  const found: DeclaredMember[] = []
  visit(tree, (node) => {
    if (!ts.isInterfaceDeclaration(node)) return
    for (const member of node.members)
      if (member.name && ts.isIdentifier(member.name))
        found.push({ owner: node.name.text, name: member.name.text, line: lineOf(tree, member) })
  })
  return found
}

function namesRead(tree: ts.SourceFile): readonly string[] {
  const found: string[] = []
  visit(tree, (node) => {
    if (ts.isPropertyAccessExpression(node)) found.push(node.name.text)
    else if (ts.isBindingElement(node)) found.push((node.propertyName ?? node.name).getText(tree))
    else if (ts.isStringLiteralLike(node) && !ts.isLiteralTypeNode(node.parent)) found.push(node.text)
  })
  return found
}
