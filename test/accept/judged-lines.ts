import fc from 'fast-check'
import { expect } from 'vitest'
import { realPaths } from '../../src/adapters/fs/real-paths.ts'
import { line } from './line-parts.ts'
import { makeLineTree } from './line-runs.ts'
import { decide } from './permissions-adapter.ts'

/** Everything but some files and one program. */
export const lineRules = {
  allow: ['Bash'],
  deny: ['Read(.env)', 'Read(./secrets/**)', 'Edit(./src/**)', 'Bash(forbidden:*)'],
}

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
  let disk = realPaths()
  const harmless = fc.property(line, (command) => {
    judged += 1
    if (decide({ mode: 'default', rules: lineRules, tool: 'Bash', input: { command }, cwd, home, disk }) !== 'allow')
      return
    // Evenly over all that are judged.
    if (ran >= (judged / lines) * runs) return
    ran += 1
    expect([command, tree.run(command)]).toEqual([command, []])
    disk = realPaths()
  })
  try {
    fc.assert(harmless, { numRuns: lines, plugins: [fc.interruptAfterTimeLimit(minutes * 60_000)] })
  } finally {
    tree.remove()
  }
  return { judged, ran }
}
