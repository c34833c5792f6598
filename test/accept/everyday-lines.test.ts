import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { decide } from './permissions-adapter.ts'

/** The lines of a usual week in a usual project, under more than a hundred rules that allow and deny. */
const texts = z.array(z.string())
const sample = z.strictObject({ rules: z.strictObject({ allow: texts, ask: texts, deny: texts }), lines: texts })
const read = (name: string): z.output<typeof sample> =>
  sample.parse(parse(readFileSync(resolve(import.meta.dirname, 'samples/permissions', name), 'utf8')))
const days = read('days.yaml')
const weeks = read('weeks.yaml')

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-days-')))
const cwd = join(base, 'repo')
const home = join(base, 'home')
const files =
  'notes.txt a..b.txt package.json build.sh src/app.ts src/util.ts guide/intro.md scripts/build.js tests/test_parser.py .github/workflows/build.yml .gitignore'
for (const name of files.split(' ')) {
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), name === '.gitignore' ? '.env\n.venv\n.troupe\nsecrets/\n' : `${name}\n`)
}
const git = ['-c', 'user.name=x', '-c', 'user.email=x@x.test']
for (const args of [
  ['init', '-q'],
  ['add', '-A'],
  ['commit', '-qm', 'x'],
])
  spawnSync('git', [...git, ...args], { cwd })
// What is there besides the repository's own files.
for (const name of [
  'repo/.env',
  'repo/secrets/key.txt',
  'repo/.venv/bin/activate',
  'repo/.troupe/runs/x/journal.jsonl',
  'home/.ssh/id_ed25519',
]) {
  mkdirSync(dirname(join(base, name)), { recursive: true })
  writeFileSync(join(base, name), 'x\n')
}
afterAll(() => rmSync(base, { recursive: true, force: true }))

type Rules = (typeof days)['rules']

function stopped(lines: readonly string[], rules: Rules): readonly string[] {
  return lines.flatMap((command) => {
    const behavior = decide({
      mode: 'default',
      rules,
      tool: 'Bash',
      input: { command },
      cwd,
      home,
      closed: [join(cwd, '.troupe'), join(home, '.troupe')],
    })
    return behavior === 'allow' ? [] : [`${behavior}: ${command}`]
  })
}

test('at most five of them are asked about, and none is denied', () => {
  const { rules, lines } = days
  expect(lines.length).toBeGreaterThanOrEqual(240)
  expect(rules.allow.length + rules.ask.length + rules.deny.length).toBeGreaterThanOrEqual(110)
  const found = stopped(lines, rules)
  expect(found.filter((text) => text.startsWith('deny'))).toEqual([])
  expect(found).toHaveLength(Math.min(found.length, 5))
})

test('lines of other weeks, under more rules, are left alone', () => {
  const rules = {
    allow: [...days.rules.allow, ...weeks.rules.allow],
    ask: [...days.rules.ask, ...weeks.rules.ask],
    deny: [...days.rules.deny, ...weeks.rules.deny],
  }
  expect(weeks.lines.length).toBeGreaterThanOrEqual(240)
  expect(stopped(weeks.lines, rules)).toEqual([])
})
