import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { behaviors, permissionModes, type Behavior } from '../../src/protocol/permissions/permission.ts'
import { decide } from './permissions-adapter.ts'

/** Calls in a real tree of files and links, and what they are decided to be. Nothing of them is run. */
const groupSchema = z.strictObject({
  that: z.string(),
  modes: z.array(z.enum(permissionModes)).default(['default']),
  allow: z.array(z.string()).default([]),
  ask: z.array(z.string()).default([]),
  deny: z.array(z.string()).default([]),
  is: z.array(z.enum(behaviors)).default(['ask', 'deny']),
  lines: z.array(z.string()).default([]),
  reads: z.array(z.string()).default([]),
  searches: z.array(z.string()).default([]),
  writes: z.array(z.string()).default([]),
  edits: z.array(z.string()).default([]),
  fetches: z.array(z.string()).default([]),
})

type Group = z.output<typeof groupSchema>

const samples = resolve(import.meta.dirname, 'samples/permissions')
const read = (name: string): unknown => parse(readFileSync(join(samples, name), 'utf8'))
const groups = z.array(groupSchema)

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-permissions-')))
const cwd = join(base, 'repo')
const home = join(base, 'home')

/** In rules and paths of these samples the tree's own places have names. */
const placed = (text: string): string =>
  text.replaceAll('$CWD', cwd).replaceAll('$HOME', home).replaceAll('//$BASE', `/${base}`).replaceAll('$BASE', base)

for (const line of z.array(z.string()).parse(read('tree.yaml'))) {
  const [name = '', target] = line.split(' -> ')
  const path = join(base, name)
  mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true })
  if (target !== undefined) symlinkSync(placed(target), path)
  else if (!name.endsWith('/')) writeFileSync(path, `${name}\n`)
}
/** The repository holds all its files, and one commit. */
for (const args of [
  ['init', '-q'],
  ['add', '-Af', '.'],
  ['commit', '-qm', 'x'],
])
  spawnSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', ...args], { cwd })
afterAll(() => rmSync(base, { recursive: true, force: true }))

/** The calls of a group, as their tools take them. */
function callsOf({ lines, reads, searches, writes, edits, fetches }: Group) {
  return [
    ...lines.map((command) => ({ tool: 'Bash', input: { command: command.replaceAll('$CWD', cwd) } })),
    ...reads.map((path) => ({ tool: 'Read', input: { file_path: placed(path) } })),
    ...searches.map((path) => ({ tool: 'Grep', input: { pattern: 'x', path: placed(path) } })),
    ...writes.map((path) => ({ tool: 'Write', input: { file_path: placed(path), content: 'x' } })),
    ...edits.map((path) => ({
      tool: 'Edit',
      input: { file_path: placed(path), old_string: 'x', new_string: 'y' },
    })),
    ...fetches.map((url) => ({ tool: 'WebFetch', input: { url, prompt: 'Read it.' } })),
  ]
}

function decisionsOf(group: Group): readonly (readonly [call: string, behavior: Behavior])[] {
  const rules = { allow: group.allow.map(placed), ask: group.ask.map(placed), deny: group.deny.map(placed) }
  return group.modes.flatMap((mode) =>
    callsOf(group).map(
      ({ tool, input }) =>
        [`${mode}: ${tool} ${JSON.stringify(input)}`, decide({ mode, rules, tool, input, cwd, home })] as const,
    ),
  )
}

describe.for([
  'shell.yaml',
  'files.yaml',
  'attacks.yaml',
  'more-attacks.yaml',
  'option-attacks.yaml',
  'unknown-words.yaml',
  'parts-of-words.yaml',
  'fooled-rules.yaml',
  'forms-of-attack.yaml',
  'listed-files.yaml',
  'told-places.yaml',
  'whole-removals.yaml',
  'everyday.yaml',
  'daily.yaml',
])('%s', (name) => {
  test.for(groups.parse(read(name)))('$that', (group) => {
    const decisions = decisionsOf(group)
    expect(decisions.length).toBeGreaterThan(0)
    expect(decisions.filter(([, behavior]) => !group.is.includes(behavior))).toEqual([])
  })
})
