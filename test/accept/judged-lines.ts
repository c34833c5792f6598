import { realpathSync } from 'node:fs'
import fc from 'fast-check'
import { join } from 'node:path'
import { expect } from 'vitest'
import { realPaths } from '../../src/adapters/fs/real-paths.ts'
import { line, start } from './line-parts.ts'
import { lineRules } from './line-rules.ts'
import { makeLineTree } from './line-runs.ts'
import { decide } from './permissions-adapter.ts'

/**
 * Judges generated lines while everything but some files and one program is allowed, and runs some of those that are
 * allowed in a namespace of their own: none may have an effect that is forbidden.
 *
 * @param runs How many are run at most.
 * @param minutes When it ends early, with the lines that were judged until then.
 * @returns How many were judged, and how many of them run.
 */
export function judgeLines(
  lines: number,
  runs: number,
  minutes = 60,
): { readonly judged: number; readonly ran: number } {
  const tree = makeLineTree()
  const { cwd, home } = tree
  let [judged, ran] = [0, 0]
  // What a line does to the tree is put back.
  const disk = realPaths()
  const harmless = fc.property(line, start, (command, from) => {
    judged += 1
    const call = { mode: 'default', rules: lineRules, tool: 'Bash', input: { command }, home, disk } as const
    if (decide({ ...call, cwd: realpathSync(join(cwd, from)), root: cwd }) !== 'allow') return
    // Evenly over all that are judged.
    if (ran >= (judged / lines) * runs) return
    ran += 1
    expect([from, command, tree.run(command, from)]).toEqual([from, command, []])
  })
  try {
    fc.assert(harmless, { numRuns: lines, plugins: [fc.interruptAfterTimeLimit(minutes * 60_000)] })
  } finally {
    tree.remove()
  }
  return { judged, ran }
}
