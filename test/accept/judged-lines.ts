import { realpathSync } from 'node:fs'
import fc from 'fast-check'
import { join } from 'node:path'
import { expect } from 'vitest'
import { realPaths } from '../../src/adapters/fs/real-paths.ts'
import { line, start } from './line-parts.ts'
import { lineRules } from './line-rules.ts'
import { makeLineTree, type TypedLine } from './line-runs.ts'
import { decide } from './permissions-adapter.ts'

/** So many lines are run in one namespace: to start it and to look at the tree afterwards takes longer than to run a line. */
const batch = 24

/**
 * Judges generated lines while everything but some files and one program is allowed, and runs those that are allowed in
 * namespaces of their own: none may have an effect that is forbidden.
 *
 * @param minutes When it ends early, with the lines that were judged until then.
 * @returns How many were judged, and how many of them run.
 */
export function judgeLines(lines: number, minutes = 60): { readonly judged: number; readonly ran: number } {
  const tree = makeLineTree()
  const { cwd, home } = tree
  let [judged, ran] = [0, 0]
  const waiting: TypedLine[] = []
  const runWaiting = (): void => {
    const typed = waiting.splice(0)
    ran += typed.length
    expect(tree.run(typed)).toEqual([])
  }
  // What a line does to the tree is put back.
  const disk = realPaths()
  const harmless = fc.property(line, start, (command, from) => {
    judged += 1
    const call = { mode: 'default', rules: lineRules, tool: 'Bash', input: { command }, home, disk } as const
    if (decide({ ...call, cwd: realpathSync(join(cwd, from)), root: cwd }) !== 'allow') return
    waiting.push({ from, line: command })
    if (waiting.length === batch) runWaiting()
  })
  try {
    // A failure belongs to a line of the batch, which is told whole, and not to the last one that was judged.
    fc.assert(harmless, {
      numRuns: lines,
      endOnFailure: true,
      plugins: [fc.interruptAfterTimeLimit(minutes * 60_000)],
    })
    runWaiting()
  } finally {
    tree.remove()
  }
  return { judged, ran }
}
