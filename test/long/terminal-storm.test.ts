import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyOrder } from '../ui/cli/hostile/terminal-orders.ts'
import { onTerminal, pty } from '../ui/cli/process/on-terminal.ts'
import { directoryWith, onlyRun, start, teamRunning } from '../ui/cli/process/troupe.ts'

const million = 1_000_000
const words = '日本語 👩‍👩‍👧 العربية 🇫🇷 a long line of a hundred columns and more, 那么多的字，一行都放不下，所以要换行。'

/** Sizes in no order, the same each time. */
const sizes = Array.from({ length: 300 }, (_, n) => [10 + ((n * 67) % 191), 3 + ((n * 31) % 58)] as const)

test.skipIf(!pty)('hundreds of sizes and a pasted million of characters leave attach as it was', async () => {
  const cwd = directoryWith(teamRunning(`touch begun; printf '%s\\n' '${words}' '${words}'; sleep 600`))
  const run = start(cwd, ['run', 'one', 'Go.', '--trust', '--wait-permissions', '1h'])
  await run.said('waits for approval')
  const session = onTerminal(cwd, ['attach'], [100, 30])
  const isWhole = (screen: string): boolean =>
    screen.includes('[Members 2]') && screen.includes('lead') && screen.includes('hand wants to use Bash')
  await session.until(isWhole)
  for (const [columns, rows] of sizes) {
    session.resize(columns, rows)
    await new Promise(setImmediate)
  }
  session.resize(100, 30)
  await session.until(isWhole)

  session.press('\u0010')
  for (const line of words.split(' ').filter((word) => word !== ''))
    await session.until((screen) => screen.includes(line))
  session.press('\u001b')
  await session.until((screen) => screen.includes('[Members 2]'))
  session.press('2\r')
  await session.until((screen) => screen.includes('hand> ▏'))
  // As a terminal hands it on: with what it would obey itself taken out, or not.
  session.press(`\u001b[200~${'x'.repeat(million - everyOrder.length)}${everyOrder}\u001b[201~`)
  await session.until((screen) => screen.includes('end▏'))
  session.press('\r')
  await session.until((screen) => screen.includes('hand> ▏') && screen.includes('sent to hand'))
  const box = join(onlyRun(cwd), 'mail', 'hand', 'new')
  const artifacts = readdirSync(join(onlyRun(cwd), 'artifacts')).map((name) =>
    readFileSync(join(onlyRun(cwd), 'artifacts', name), 'utf8'),
  )
  expect(readdirSync(box)).toHaveLength(1)
  expect(artifacts.some((text) => text.length > million - 100)).toBe(true)
  session.press('\u0003')
  expect(await session.ended).toBe(0)
  run.child.kill('SIGTERM')
  await run.ended
})

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
