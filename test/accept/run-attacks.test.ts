import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { lineRules } from './judged-lines.ts'
import { makeLineTree } from './line-runs.ts'
import { decide } from './permissions-adapter.ts'

const lines = z
  .array(z.string())
  .parse(parse(readFileSync(resolve(import.meta.dirname, 'samples/permissions/run-attacks.yaml'), 'utf8')))

test('of a thousand attacks none that is allowed has an effect that is forbidden', () => {
  const tree = makeLineTree()
  const { cwd, home } = tree
  try {
    const allowed = lines.filter(
      (command) =>
        decide({ mode: 'default', rules: lineRules, tool: 'Bash', input: { command }, cwd, home }) === 'allow',
    )
    expect(lines.length).toBeGreaterThan(1_000)
    expect(
      allowed.flatMap((command) => {
        const effects = tree.run(command)
        return effects.length === 0 ? [] : [[command, effects]]
      }),
    ).toEqual([])
  } finally {
    tree.remove()
  }
})
