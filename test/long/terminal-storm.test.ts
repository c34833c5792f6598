import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { onTerminal, pty } from '../ui/cli/process/on-terminal.ts'
import { directoryWith, teamRunning } from '../ui/cli/process/troupe.ts'

const million = 1_000_000

test.skipIf(!pty)('a million of characters pasted at a question of run answers nothing by itself', async () => {
  const cwd = directoryWith(teamRunning('echo done > done.txt'))
  const session = onTerminal(cwd, ['run', 'one', 'Go.', '--trust'], [100, 30])
  await session.until((screen) => screen.includes('[o]nce') && screen.includes('> ▏'))
  session.press('y'.repeat(million))
  await session.until((screen) => screen.includes('yyyy▏'))
  session.press('\u0015')
  await session.until((screen) => screen.includes('> ▏'))
  session.press('o\r')
  expect(await session.ended).toBe(0)
  expect(readFileSync(join(cwd, 'done.txt'), 'utf8')).toBe('done\n')
})
