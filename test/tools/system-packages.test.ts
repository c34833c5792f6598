import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../src/adapters/sandbox/bubblewrap.ts'
import { installPlan, isCi, sandboxTests, type Machine, type Program } from './system-packages.ts'

const bwrap: Program = { name: 'bwrap', from: 'bubblewrap', probe: [], usedBy: 'some tests' }
const tmux: Program = { name: 'tmux', probe: [], usedBy: 'other tests' }

const nobody: Machine = { isCi: false, hasTerminal: false, hasApt: true, isRoot: true, hasSudo: false }
const user = { isRoot: false, hasSudo: true } as const
const apt = ['apt-get', 'install', '-y', '--no-install-recommends']

describe('what is missing', () => {
  const plans = [
    ['is named where nobody can be asked', {}, 'name', [...apt, 'bubblewrap', 'tmux']],
    ['is asked about at a terminal', { hasTerminal: true }, 'ask', [...apt, 'bubblewrap', 'tmux']],
    ['is installed in CI', { isCi: true }, 'install', [...apt, 'bubblewrap', 'tmux']],
    [
      'is installed in CI, at a terminal too',
      { isCi: true, hasTerminal: true },
      'install',
      [...apt, 'bubblewrap', 'tmux'],
    ],
    ['is asked about with sudo', { ...user, hasTerminal: true }, 'ask', ['sudo', ...apt, 'bubblewrap', 'tmux']],
    ['is named with sudo', user, 'name', ['sudo', ...apt, 'bubblewrap', 'tmux']],
    [
      'is installed in CI without a password',
      { ...user, isCi: true },
      'install',
      ['sudo', '-n', ...apt, 'bubblewrap', 'tmux'],
    ],
    ['has no command without root and sudo', { isCi: true, isRoot: false }, 'name', null],
    ['has no command without apt-get', { isCi: true, hasApt: false }, 'name', null],
    ['has no command without apt-get, at a terminal too', { hasTerminal: true, hasApt: false }, 'name', null],
  ] as const

  test.for(plans)('%s', ([, machine, act, command]) => {
    expect(installPlan([bwrap, tmux], { ...nobody, ...machine })).toEqual({ act, command })
  })

  test('may be nothing', () => {
    expect(installPlan([], { ...nobody, isCi: true })).toEqual({ act: 'nothing', command: null })
  })
})

test.for([
  [undefined, false],
  ['', false],
  ['0', false],
  ['false', false],
  ['1', true],
  ['true', true],
  ['woodpecker', true],
] as const)('CI=%s means continuous integration: %s', ([CI, expected]) => {
  expect(isCi({ CI })).toBe(expected)
})

describe('the sandbox tests', () => {
  test.for([
    [null, true, 'linux', 'run'],
    [null, false, 'linux', 'run'],
    ['no bwrap', true, 'linux', 'fail'],
    ['no bwrap', false, 'linux', 'skip'],
    ['no sandbox', true, 'darwin', 'skip'],
    ['no sandbox', false, 'darwin', 'skip'],
  ] as const)('missing %s, in CI %s, on %s: %s', ([missing, inCi, platform, expected]) => {
    expect(sandboxTests(missing, inCi, platform)).toBe(expected)
  })

  test('are not left out here', (context) => {
    const missing = bubblewrapMissing()
    const verdict = sandboxTests(missing, isCi(process.env), process.platform)
    if (verdict === 'skip') context.skip(`the sandbox tests are not run: ${missing}`)
    expect({ verdict, missing }).toEqual({ verdict: 'run', missing: null })
  })
})
