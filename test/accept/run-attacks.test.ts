import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { lineRules } from './line-rules.ts'
import { makeLineTree } from './line-runs.ts'
import { decide } from './permissions-adapter.ts'

const attack = z
  .string()
  .transform((line) => ({ from: '.', line }))
  .or(z.strictObject({ from: z.string(), line: z.string() }))
const lines = z
  .array(attack)
  .parse(parse(readFileSync(resolve(import.meta.dirname, 'samples/permissions/run-attacks.yaml'), 'utf8')))

test('of a thousand attacks none that is allowed has an effect that is forbidden', () => {
  const tree = makeLineTree()
  const { cwd, home } = tree
  try {
    const judge = { mode: 'default', rules: lineRules, tool: 'Bash', home, root: cwd } as const
    const allowed = lines.filter(
      ({ from, line }) => decide({ ...judge, input: { command: line }, cwd: join(cwd, from) }) === 'allow',
    )
    expect(lines.length).toBeGreaterThan(1_000)
    expect(tree.run(allowed)).toEqual([])
  } finally {
    tree.remove()
  }
})
