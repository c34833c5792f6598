import { mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { UnicodeGraphemesAddon } from '@xterm/addon-unicode-graphemes'
import xterm from '@xterm/headless'
import { expect, onTestFinished, test } from 'vitest'
import { bin, directoryWith, onlyRun, teamRunning, troupe } from './troupe.ts'
import { bareEnv } from '../../../support/bare-env.ts'

const pty = await import('@lydell/node-pty').catch(() => null)
if (!pty) console.warn('skipped: attach on a real terminal needs the optional package @lydell/node-pty')

/** A directory with one run that is over. */
async function afterARun(): Promise<string> {
  const cwd = directoryWith(teamRunning('echo 日本語 done'))
  const { code } = await troupe(cwd, ['run', 'teams/one.yaml', 'Begin.', '--trust', '--allow', 'Bash(echo *)'])
  expect(code).toBe(0)
  return cwd
}

interface Session {
  press(keys: string): void
  resize(columns: number, rows: number): void
  /** Resolves with the screen as soon as it satisfies. */
  until(satisfies: (screen: string) => boolean): Promise<string>
  readonly ended: Promise<number>
  readonly written: () => string
}

/** The command line on a real pseudo-terminal, and what a person sees there. */
function onTerminal(cwd: string, args: readonly string[], [cols, rows]: readonly [number, number]): Session {
  if (!pty) throw new Error('no pseudo-terminal')
  const screen = new xterm.Terminal({ cols, rows, allowProposedApi: true, scrollback: 0 })
  screen.loadAddon(new UnicodeGraphemesAddon())
  const env = { ...bareEnv, HOME: cwd, TERM: 'xterm-256color' }
  const child = pty.spawn(process.execPath, [bin, ...args], { cols, rows, cwd, env })
  const waiting = new Set<() => void>()
  let written = ''
  child.onData((text) => {
    written += text
    screen.write(text, () => waiting.forEach((look) => look()))
  })
  const ended = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)))
  onTestFinished(() => {
    child.kill('SIGKILL')
    screen.dispose()
  })
  const shot = (): string =>
    Array.from({ length: screen.rows }, (_, n) => screen.buffer.active.getLine(n)?.translateToString(true)).join('\n')
  return {
    press: (keys) => child.write(keys),
    resize(columns, high) {
      screen.resize(columns, high)
      child.resize(columns, high)
    },
    until: (satisfies) =>
      new Promise((resolve) => {
        const look = (): void => {
          const text = shot()
          if (!satisfies(text)) return
          waiting.delete(look)
          resolve(text)
        }
        waiting.add(look)
        look()
      }),
    ended,
    written: () => written,
  }
}

test.skipIf(!pty)('on a real terminal it follows a resize, answers keys, and gives the terminal back', async () => {
  const cwd = await afterARun()
  const session = onTerminal(cwd, ['attach'], [80, 24])
  const wide = await session.until((screen) => screen.includes('│') && screen.includes('completed'))
  expect(wide).toContain('▶✓ lead')
  session.resize(40, 20)
  const narrow = await session.until((screen) => !screen.includes('│') && screen.includes('✓ hand'))
  expect(narrow.split('\n').filter((line) => line.includes('lead>'))).toHaveLength(1)
  session.press('\t\u0006\u0005')
  await session.until((screen) => screen.includes('▶✓ hand') && screen.includes('日本語 done'))
  session.resize(80, 24)
  await session.until((screen) => screen.includes('hand>') && screen.split('\n')[23]?.includes('completed') === true)
  session.press('\u0003')
  expect(await session.ended).toBe(0)
  for (const mode of ['?7h', '?1049l', '?25h']) expect(session.written()).toContain(`\u001b[${mode}`)
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
