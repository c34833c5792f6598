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
const { rules, lines } = z
  .strictObject({ rules: z.strictObject({ allow: texts, ask: texts, deny: texts }), lines: texts })
  .parse(parse(readFileSync(resolve(import.meta.dirname, 'samples/permissions/days.yaml'), 'utf8')))

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-days-')))
const cwd = join(base, 'repo')
const home = join(base, 'home')
const files =
  'notes.txt a..b.txt package.json build.sh src/app.ts src/util.ts guide/intro.md scripts/build.js tests/test_parser.py .github/workflows/build.yml .gitignore'
for (const name of files.split(' ')) {
  mkdirSync(dirname(join(cwd, name)), { recursive: true })
  writeFileSync(join(cwd, name), name === '.gitignore' ? '.env\n.venv\n.troupe\n' : `${name}\n`)
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
  'repo/.venv/bin/activate',
  'repo/.troupe/runs/x/journal.jsonl',
  'home/.ssh/id_ed25519',
]) {
  mkdirSync(dirname(join(base, name)), { recursive: true })
  writeFileSync(join(base, name), 'x\n')
}
afterAll(() => rmSync(base, { recursive: true, force: true }))

test('at most five of them are asked about, and none is denied', () => {
  expect(lines.length).toBeGreaterThanOrEqual(240)
  expect(rules.allow.length + rules.ask.length + rules.deny.length).toBeGreaterThanOrEqual(110)
  const stopped = lines.flatMap((command) => {
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
  expect(stopped.filter((text) => text.startsWith('deny'))).toEqual([])
  expect(stopped).toHaveLength(Math.min(stopped.length, 5))
})
