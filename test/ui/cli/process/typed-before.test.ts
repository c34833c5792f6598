import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onTerminal, programOnTerminal, pty } from './on-terminal.ts'
import { bin, directoryWith, teamRunning, troupe } from './troupe.ts'

/** A team whose only worker runs one command after the other. */
function teamRunningEach(...commands: readonly string[]): Readonly<Record<string, string>> {
  const files = teamRunning('true')
  const script = JSON.parse(files['teams/one.script.yaml'] ?? '') as { agents: { hand: { steps: unknown[] } } }
  const steps = commands.map((command) => ({ say: 'Next.', calls: [{ tool: 'Bash', input: { command } }] }))
  script.agents.hand = { steps: [...steps, { say: 'That was all.' }] }
  return { ...files, 'teams/one.script.yaml': JSON.stringify(script) }
}

async function onlyPending(cwd: string): Promise<string> {
  const [pending] = JSON.parse((await troupe(cwd, ['permissions', 'pending', '--json'])).stdout) as { id: string }[]
  return pending?.id ?? 'none'
}

test.skipIf(!pty)('a key typed for a withdrawn question does not answer the next one', async () => {
  const cwd = directoryWith(teamRunningEach('mkdir harmless', 'touch DANGER'))
  const session = onTerminal(cwd, ['run', 'one', 'Begin.'], [100, 30])
  await session.until((screen) => screen.includes('mkdir harmless') && screen.includes('> '))
  session.press('o')
  expect((await troupe(cwd, ['permissions', 'answer', await onlyPending(cwd), 'deny'])).code).toBe(0)
  await session.until((screen) => /touch DANGER[^]*> ?▏?\s*$/.test(screen))
  session.press('\r')
  await session.until((screen) => screen.includes('Please type'))
  session.press('d no\r')
  await session.ended
  expect([existsSync(join(cwd, 'harmless')), existsSync(join(cwd, 'DANGER'))]).toEqual([false, false])
})

test.skipIf(!pty)('nothing that was typed for a question is left for the shell after the run', async () => {
  const cwd = directoryWith(teamRunningEach('mkdir harmless'))
  const left = 'stty -icanon -echo min 0 time 0; echo "left: [$(dd bs=100 count=1 2>/dev/null)]"'
  const line = `'${process.execPath}' '${bin}' run one Begin. 2>&1; ${left}`
  const session = programOnTerminal(cwd, ['/bin/sh', '-c', line], [100, 30])
  await session.until((screen) => screen.includes('mkdir harmless') && screen.includes('> '))
  session.press('rm -rf x')
  expect((await troupe(cwd, ['permissions', 'answer', await onlyPending(cwd), 'deny'])).code).toBe(0)
  await session.until((screen) => screen.includes('left: ['))
  expect(session.written()).toContain('left: []')
})
