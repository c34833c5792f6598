import { expect, test } from 'vitest'
import { driverHere, templateDriver, terminalDrivers } from '../../../src/adapters/executors/terminal.ts'

const shown = { argv: ['node', 'a b.js', "it's"] as const, cwd: '/work', title: 'ana@duo', colour: 1 }

test.each([
  [
    'kitty',
    `kitty @ launch --type=tab --keep-focus --tab-title ana@duo --title ana@duo --color active_border_color=#5faf5f --cwd /work node|a b.js|it's`,
    'kitty @ close-window --match id:7',
  ],
  ['wezterm', `wezterm cli spawn --new-window --cwd /work -- node|a b.js|it's`, 'wezterm cli kill-pane --pane-id 7'],
  ['zellij', `zellij run --close-on-exit --name ana@duo --cwd /work -- node|a b.js|it's`, null],
  [
    'windows-terminal',
    `wt.exe -w new new-tab --title ana@duo --tabColor #5faf5f --suppressApplicationTitle wsl.exe --cd /work --exec node|a b.js|it's`,
    null,
  ],
])('%s is spoken to in its own words', (name, opened, closed) => {
  const driver = terminalDrivers.find((each) => each.name === name)
  const argv = driver?.open(shown) ?? []
  const [program, rest] = [argv.slice(0, -shown.argv.length), argv.slice(-shown.argv.length)]
  expect(`${program.join(' ')} ${rest.join('|')}`).toBe(opened)
  const id = driver?.idIn('7\n') ?? null
  expect(id === null ? null : (driver?.close(id)?.join(' ') ?? null)).toBe(closed)
})

test.skipIf(process.platform === 'darwin')('Ghostty opens a window by its own command', () => {
  const opened = terminalDrivers.find(({ name }) => name === 'ghostty')?.open(shown)
  expect(opened).toEqual(['ghostty', '--title=ana@duo', '--working-directory=/work', '-e', ...shown.argv])
})

test('iTerm2 gets one line in which every word is quoted', () => {
  const [program, flag, text] = terminalDrivers.find(({ name }) => name === 'iterm2')?.open(shown) ?? []
  expect([program, flag]).toEqual(['osascript', '-e'])
  expect(text).toContain(String.raw`'/usr/bin/env' '-C' '/work' 'node' 'a b.js' 'it'\\''s'`)
})

test("a person's own command is filled in, word by word", () => {
  expect(templateDriver('foot --title={title} -D {cwd} {argv}').open(shown)).toEqual([
    'foot',
    '--title=ana@duo',
    '-D',
    '/work',
    ...shown.argv,
  ])
  expect(() => templateDriver('foot')).toThrow('{argv}')
})

test.each([
  [{ KITTY_LISTEN_ON: 'unix:/tmp/kitty' }, 'kitty'],
  [{ WEZTERM_PANE: '0' }, 'wezterm'],
  [{ TERM_PROGRAM: 'iTerm.app' }, 'iterm2'],
  [{ ZELLIJ: '0' }, 'zellij'],
  [{ WT_SESSION: 'x' }, 'windows-terminal'],
  [{ TERM_PROGRAM: 'ghostty' }, 'ghostty'],
  [{ WEZTERM_PANE: '0', TROUPE_TERMINAL: 'foot {argv}' }, 'foot'],
  [{ TERM: 'xterm' }, undefined],
] as const)('%o is %s', (env, name) => {
  expect(driverHere(env)?.name).toBe(name)
})
