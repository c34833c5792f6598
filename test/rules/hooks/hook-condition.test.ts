import { expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { meetsCondition } from '../../../src/rules/hooks/hook-condition.ts'

const cwd = '/repo'
const home = '/home/ann'
const meets = (command: string): boolean =>
  meetsCondition('Bash(git push *)', analyse({ tool: 'Bash', input: { command }, cwd, home }), {
    cwd,
    home,
    root: cwd,
  })

test.each([
  'git push origin',
  'git $@ push origin',
  'git $* push origin',
  'git "$@" push origin',
  'git ${A} push',
  'git $! push',
  'git pus? x',
  'git p[u]sh x',
  'git pu* x',
])('a hook for git push runs for %s', (command) => {
  expect(meets(command)).toBe(true)
})

test.each(['git status', 'git log --oneline', 'npm test'])('a hook for git push does not run for %s', (command) => {
  expect(meets(command)).toBe(false)
})
