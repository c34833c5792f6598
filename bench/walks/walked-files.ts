import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Executed } from './counting.ts'

/** A file on a walk. */
export interface WalkedFile {
  readonly file: string
  /** How many lines the functions that ran stand on. */
  readonly lines: number
  /** Their names; those without one are left out. */
  readonly functions: readonly string[]
}

/** The files of these functions, in the order of their paths. */
export function walkedFiles(root: string, executed: readonly Executed[]): readonly WalkedFile[] {
  const byFile = Map.groupBy(executed, ({ file }) => file)
  return [...byFile]
    .map(([file, each]) => ({ file, lines: linesOf(join(root, file), each), functions: namesOf(each) }))
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
}

function namesOf(executed: readonly Executed[]): readonly string[] {
  return [...new Set(executed.map(({ name }) => name).filter((name) => name !== ''))]
}

function linesOf(path: string, executed: readonly Executed[]): number {
  const text = readFileSync(path, 'utf8')
  const lineAt = (place: number): number => text.slice(0, place).split('\n').length
  const lines = executed.flatMap(({ start, end }) => {
    const first = lineAt(start)
    return Array.from({ length: lineAt(end) - first + 1 }, (_, n) => first + n)
  })
  return new Set(lines).size
}
