import { existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onTerminal, pty } from './on-terminal.ts'
import { directoryWith, onlyRun, start, teamRunning, troupe } from './troupe.ts'

/** A directory with one run that is over. */
async function afterARun(): Promise<string> {
  const cwd = directoryWith(teamRunning('echo 日本語 done'))
  const { code } = await troupe(cwd, ['run', 'teams/one.yaml', 'Begin.', '--trust', '--allow', 'Bash(echo *)'])
  expect(code).toBe(0)
  return cwd
}

test.skipIf(!pty)('on a real terminal it follows a resize, answers keys, and gives the terminal back', async () => {
  const cwd = await afterARun()
  const session = onTerminal(cwd, ['attach'], [80, 24])
  const list = await session.until((screen) => screen.includes('[Members 2]') && screen.includes('completed'))
  expect(list).toMatch(/▶ 1 · lead/)
  session.press('\u0006')
  await session.until((screen) => screen.includes('│') && screen.includes('▶· lead'))
  session.resize(40, 20)
  const narrow = await session.until((screen) => !screen.includes('│') && screen.includes('· hand'))
  expect(narrow.split('\n').filter((line) => line.includes('lead>'))).toHaveLength(1)
  session.press('\t\u0006\u0005')
  await session.until((screen) => screen.includes('▶· hand') && screen.includes('日本語 done'))
  session.resize(80, 24)
  const isWide = (screen: string): boolean =>
    screen.includes('hand>') && screen.split('\n')[23]?.includes('completed') === true
  await session.until(isWide)
  // Back at the old size before the process looks: the terminal has torn what it showed.
  session.signal('SIGSTOP')
  session.resize(10, 3)
  session.resize(80, 24)
  session.signal('SIGCONT')
  await session.until(isWide)
  session.press('\u0003')
  expect(await session.ended).toBe(0)
  for (const mode of ['?7h', '?1049l', '?25h']) expect(session.written()).toContain(`\u001b[${mode}`)
})

test.skipIf(!pty)('a terminal that hangs up is given back as it was', async () => {
  const cwd = await afterARun()
  const session = onTerminal(cwd, ['attach'], [80, 24])
  await session.until((screen) => screen.includes('completed'))
  session.signal('SIGHUP')
  expect(await session.ended).toBe(0)
  for (const mode of ['?7h', '?1049l', '?25h']) expect(session.written()).toContain(`\u001b[${mode}`)
})

test.skipIf(!pty)('a call whose end was not shown cannot be allowed', async () => {
  const lines = Array.from({ length: 80 }, (_, n) => `echo ${n}`)
  const cwd = directoryWith(teamRunning([...lines, 'touch at-the-end'].join('\n')))
  const run = start(cwd, ['run', 'one', 'Begin.', '--wait-permissions', '1h'])
  await run.said('waits for approval')
  const session = onTerminal(cwd, ['attach'], [80, 24])
  await session.until((screen) => screen.includes('hand wants to use Bash'))
  session.press('\u0010')
  await session.until((screen) => /more lines · PageDown/.test(screen))
  for (const key of ['a', 'w']) {
    // A key that comes too soon after the question is not heard at all.
    const pressing = setInterval(() => session.press(key), 50)
    await session.until((screen) => screen.includes('not allowed: its end was not shown yet'))
    clearInterval(pressing)
    session.press('k')
    await session.until((screen) => !screen.includes('not allowed'))
  }
  const paging = setInterval(() => session.press('\u001b[6~'), 30)
  const end = await session.until((screen) => screen.includes('· the end'))
  clearInterval(paging)
  expect(end).toContain('touch at-the-end')
  expect(end).toMatch(/always allows .* saved in\s+.troupe.settings.local.json|asked because/)
  expect(existsSync(join(cwd, 'at-the-end'))).toBe(false)
  const pressing = setInterval(() => session.press('a'), 50)
  await run.ended
  clearInterval(pressing)
  expect(existsSync(join(cwd, 'at-the-end'))).toBe(true)
  session.press('\u0003')
  await session.ended
})

test('without a terminal it prints lines', async () => {
  const cwd = await afterARun()
  const { code, stdout } = await troupe(cwd, ['attach', 'hand@one'])
  expect([code, stdout.includes('\u001b')]).toEqual([0, false])
  expect(stdout).toContain('日本語 done')
})

test.each([
  [['attach', 'two'], 'there is no run "two"'],
  [['attach', 'nobody@one'], 'the team one has no member "nobody"; it has lead, hand'],
])('%j is refused with %j', async (args, complaint) => {
  const cwd = await afterARun()
  const { code, stderr } = await troupe(cwd, args)
  expect(code).toBe(2)
  expect(stderr).toContain(complaint)
})

test('a directory that is no run is refused', async () => {
  const cwd = await afterARun()
  mkdirSync(join(cwd, 'other'))
  symlinkSync(join(onlyRun(cwd), 'journal'), join(cwd, 'other', 'journal'))
  const { code, stderr } = await troupe(cwd, ['attach', 'other'])
  expect([code, stderr]).toEqual([2, expect.stringContaining('other is no run directory')])
})
