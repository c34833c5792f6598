import { expect, test } from 'vitest'
import type { RunSummary } from '../../../src/runtime/runs/read-runs.ts'
import { pickRun } from '../../../src/ui/tui/run-picker.ts'
import { emulator, type Emulator } from './support/emulator.ts'

const runs = ['alpha', 'beta', 'gamma'].map((team, n): RunSummary => {
  const member = { name: 'lead', state: 'busy', alive: true, pid: 1, unread: 0, waits_for_you: n } as const
  const told = { state: 'running', stale: false, pid: 1, task: 'Go\u001b[2J on.', created: 0, problems: [] } as const
  return { id: `${team}-1`, dir: `/runs/${team}-1`, team, members: [member], ...told }
})

function pick(terminal: Emulator, signal = new AbortController().signal): Promise<string | null> {
  const paint = (_: string, text: string): string => text
  return pickRun(runs, { ...terminal, paint, onExit: () => () => undefined }, { now: () => 60_000, signal })
}

test.each([
  ['the arrows and Enter', ['\u001b[B', '\r'], 'beta-1'],
  ['its number', ['3'], 'gamma-1'],
  ['Esc: none', ['\u001b'], null],
])('a run is picked by %s', async (_, keys, id) => {
  const terminal = emulator(80, 10)
  const picked = pick(terminal)
  await terminal.until((screen) => screen.includes('3 runs go on here'))
  for (const key of keys) terminal.press(key)
  expect(await picked).toBe(id)
})

test('runs that ask are told, what has no room is counted, and nothing of a task is obeyed', async () => {
  const terminal = emulator(50, 5)
  const end = new AbortController()
  const picked = pick(terminal, end.signal)
  await terminal.until((screen) => screen.includes('1 more'))
  expect((await terminal.screen()).slice(0, 3)).toEqual([
    '3 runs go on here · 1 more: which one?',
    '▶ 1 alpha            1 member · 1m 0s · Go on.',
    '  2 beta             1 asks you · 1 member · 1m 0…',
  ])
  expect(terminal.written()).not.toContain('\u001b[2J')
  end.abort()
  expect(await picked).toBeNull()
})
