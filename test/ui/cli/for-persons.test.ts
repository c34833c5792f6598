import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bareEnv } from '../../support/bare-env.ts'

const bin = join(import.meta.dirname, '../../../src/ui/cli/bin.ts')

/** A program with the command line of a screen, whose child is what stands behind `attach`. */
const screenlike = `const { spawnSync } = require('node:child_process')
const [program, ...args] = process.argv.slice(3)
process.exit(spawnSync(program, args, { stdio: 'inherit' }).status)
`

/** The exit code and the words of a command that begins in the shell of a member, or of nobody. */
function begun(line: string, mark: Readonly<Record<string, string>>): { code: number | null; said: string } {
  const home = mkdtempSync(join(tmpdir(), 'troupe-persons-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'troupe'), screenlike)
  const env = { ...bareEnv, ...mark, HOME: home, NODE: process.execPath, BIN: bin }
  const { status, stdout, stderr } = spawnSync('bash', ['-c', line], {
    cwd: home,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  return { code: status, said: stdout + stderr }
}
const member = { TROUPE_LIFE: '01J00000000000000000000001' }

test.for([
  '"$NODE" "$BIN" trust',
  '"$NODE" "$BIN" permissions answer w-1-1 allow',
  '"$NODE" "$BIN" permissions add "Bash(rm *)"',
  '"$NODE" "$BIN" stop x',
  '"$NODE" "$BIN" resume',
  '"$NODE" "$BIN" continue x y',
  '"$NODE" "$BIN" send lead yes',
  '"$NODE" "$BIN" serve --port 0',
  '"$NODE" "$BIN" run t --trust',
  '"$NODE" "$BIN" run t --mode bypassPermissions --dangerously-skip-permissions',
  'env -u TROUPE_LIFE "$NODE" "$BIN" trust; exit',
  'env -i HOME="$HOME" sh -c \'"$0" "$1" trust\' "$NODE" "$BIN"; exit',
  'unset TROUPE_LIFE; (exec -c "$NODE" "$BIN" trust)',
  ...['permissions answer w-1-1 allow', 'resume x'].flatMap((words) => [
    `env -u TROUPE_LIFE "$NODE" ./troupe attach env -i "$NODE" "$BIN" ${words}; exit $?`,
    `unset TROUPE_LIFE; (exec -c -a node "$NODE" ./troupe attach "$NODE" "$BIN" ${words}); exit $?`,
    `unset TROUPE_LIFE; bash -c 'exec -a "troupe attach" bash -c "\\$0 \\$1 ${words}; exit \\$?" "$NODE" "$BIN"'; exit $?`,
    `((setsid "$NODE" ./troupe attach "$NODE" "$BIN" ${words} >out 2>&1; echo $? >code) &); until [ -s code ]; do sleep 0.02; done; cat out; exit $(cat code)`,
  ]),
])('is refused to what a member begins: %s', (line) => {
  const { code, said } = begun(line, member)
  expect(said).toContain('is for a person')
  expect(code).toBe(3)
})

test.for(['"$NODE" "$BIN" permissions list', '"$NODE" "$BIN" ps', '"$NODE" "$BIN" run t --mode plan'])(
  'is not refused: %s',
  (line) => expect(begun(line, member).said).not.toContain('is for a person'),
)

test.for([
  `'$NODE' '$BIN' trust`,
  `exec '$NODE' ./troupe attach '$NODE' '$BIN' permissions answer w-1-1 allow`,
  `exec '$NODE' ./troupe attach '$NODE' '$BIN' resume x`,
  ...['permissions answer w-1-1 allow', 'trust', 'mcp serve'].map(
    (words) =>
      `(setsid env -i HOME='$HOME' sh -c \\"'$NODE' '$BIN' ${words} >out 2>&1; echo >code\\" &)
until [ -s code ]; do sleep 0.02; done; cat out`,
  ),
])('a member whose shell takes the mark off and steps aside, or leaves a daemon, is still one: %s', (act) => {
  const team = `name: duo
model: scripted/script.yaml
permissions: { allow: [Bash] }
coordinator: { prompt: You lead. }
workers: { ana: { description: Works., prompt: You work., tools: [Bash] } }`
  const command = 'exec env -u TROUPE_LIFE sh do.sh'
  const steps = (...all: readonly object[]) => JSON.stringify({ steps: all })
  const script = `agents:
  lead: ${steps({ calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Do.' }] } }] }, { say: 'Done.' })}
  ana: ${steps({ calls: [{ tool: 'Bash', input: { command } }] }, { say: 'Done.', expect: 'is for a person' })}`
  const line = `cat > team.yaml <<'END'
${team}
END
cat > script.yaml <<'END'
${script}
END
echo "${act}" > do.sh; "$NODE" "$BIN" run team.yaml Begin. --trust`
  const { code, said } = begun(line, {})
  expect([code, said]).toEqual([0, expect.stringContaining('Done.')])
})

test('a program that a screen of a person starts does not act for the person; the leader of a run that goes on may', () => {
  const under = (words: string) => begun(`"$NODE" ./troupe attach "$NODE" "$BIN" ${words}; exit $?`, {}).said
  expect(under('permissions answer w-1-1 allow')).toContain('is for a person')
  expect(under('trust')).toContain('is for a person')
  expect(under('resume x')).not.toContain('is for a person')
})

test('a person trusts as before', () => {
  expect(begun('"$NODE" "$BIN" permissions add "Bash(make:*)" && "$NODE" "$BIN" trust', {}).code).toBe(0)
})
