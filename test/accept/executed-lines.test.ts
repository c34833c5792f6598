import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { decide } from './permissions-adapter.ts'

/*
 * Lines put together from harmless and harmful parts; those that are allowed without any rule are run by a real bash, and
 * none may make a file or show a secret. `TROUPE_LINES` says how many; the long form takes a million.
 */
const lines = Number(process.env['TROUPE_LINES'] ?? 1_500)

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-lines-')))
const cwd = join(base, 'repo')
const home = join(base, 'home')
for (const dir of ['repo/sub', 'repo/evil', 'outside', 'home']) mkdirSync(join(base, dir), { recursive: true })
writeFileSync(join(cwd, 'bad.txt'), 'a[$(touch${IFS}pwned)]\n')
writeFileSync(join(cwd, 'notes.txt'), '1 2 3\n')
writeFileSync(join(cwd, 'evil/ls'), '#!/bin/sh\ntouch pwned\n', { mode: 0o755 })
writeFileSync(join(base, 'outside/secret.txt'), 'SECRET\n')
afterAll(() => rmSync(base, { recursive: true, force: true }))

const bait = String.raw`$'a\x5b$(touch pwned)]'`
const name = fc.constantFrom('x', 'y', 'PATH', 'CDPATH', 'i', 'HOME', 'f')
const text = fc.constantFrom(
  '1',
  'x',
  'y',
  'sub',
  '../outside',
  './evil',
  bait,
  "'a[$(touch pwned)]'",
  '$x',
  '"$y"',
  '*',
  '$(cat bad.txt)',
  '$(wc -l < notes.txt)',
  '{x,y}',
  '~',
  '$((1+1))',
  '$i',
  '${x:-y}',
)
const file = fc.constantFrom(
  'notes.txt',
  '../outside/secret.txt',
  '$x',
  '"$x"',
  '$x/secret.txt',
  's*/../../outside/secret.txt',
  '*.txt',
  '~/../outside/secret.txt',
  '{notes,bad}.txt',
  '${x}/secret.txt',
)
const act = fc.oneof(
  fc.tuple(name, text).map(([n, t]) => `${n}=${t}`),
  fc.tuple(name, text).map(([n, t]) => `: \${${n}:=${t}}`),
  name.map((n) => `echo $((${n}))`),
  name.map((n) => `((${n}++))`),
  name.map((n) => `echo \${PWD:${n}}`),
  name.map((n) => `echo \${!${n}}`),
  name.map((n) => `[[ $${n} -eq 1 ]]`),
  name.map((n) => `test -v "$${n}"`),
  name.map((n) => `[ $${n} = 1 ]`),
  name.map((n) => `cd "$${n}"`),
  text.map((t) => `cd ${t}`),
  file.map((f) => `cat ${f}`),
  file.map((f) => `head -1 ${f}`),
  name.map((n) => `read ${n} < bad.txt`),
  fc.constantFrom(
    'ls',
    'pwd',
    'true',
    'popd',
    'shopt -s dotglob',
    'set -e',
    'echo a | cat',
    'grep -r SECRET .',
    'let x=y',
    'unset x',
  ),
)
const joint = fc.constantFrom('; ', ' && ', ' || ', ' | ', '\n', ' & ')
const list = fc
  .array(fc.tuple(act, joint), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.map(([each, sign], at) => (at === parts.length - 1 ? each : each + sign)).join(''))
const line = fc.oneof(
  list,
  fc.tuple(name, text, list).map(([n, t, body]) => `for ${n} in ${t} 2; do ${body}\ndone`),
  list.map((body) => `(${body}\n)`),
  list.map((body) => `f() { ${body}\n}; f ${bait}`),
  list.map((body) => `while true; do ${body}\nbreak; done`),
  fc.tuple(list, list).map(([a, b]) => `if ${a}\nthen ${b}\nfi`),
  list.map((body) => `echo "$(${body}\n)"`),
)

/** The files that are there after a line has run, and what it said. */
function run(command: string): { readonly files: readonly string[]; readonly said: string } {
  const argv = ['--noprofile', '--norc', '-c', 'exec 2>&1; eval "$1"', 'bash', command]
  const env = { PATH: process.env['PATH'], HOME: home, PWD: cwd }
  const end = spawnSync('bash', argv, { cwd, env, encoding: 'utf8', timeout: 5_000, input: '' })
  return { files: readdirSync(base, { recursive: true, encoding: 'utf8' }).toSorted(), said: end.stdout }
}

test('no line that is allowed does what nobody allowed', { timeout: 3_600_000 }, () => {
  const before = run('true').files
  let allowed = 0
  fc.assert(
    fc.property(line, (command) => {
      const input = { command }
      if (decide({ mode: 'default', rules: {}, tool: 'Bash', input, cwd, home }) !== 'allow') return
      allowed += 1
      const { files, said } = run(command)
      // What one line left would stand against the next.
      for (const left of files.filter((each) => !before.includes(each)))
        rmSync(join(base, left), { recursive: true, force: true })
      expect([command, files]).toEqual([command, before])
      expect([command, said.includes('SECRET')]).toEqual([command, false])
    }),
    { numRuns: lines },
  )
  expect(allowed).toBeGreaterThan(lines / 100)
})
