import { expect, test } from 'vitest'
import { chooseExecutor } from '../../../src/rules/team/executor-choice.ts'

test.each([
  [{ terminal: 'kitty', tmux: true, interactive: true }, 'terminal', 'kitty'],
  [{ terminal: null, tmux: true, interactive: true }, 'tmux-panes', 'inside tmux'],
  [{ terminal: null, tmux: false, interactive: true }, 'in-process', 'neither'],
  [{ terminal: 'kitty', tmux: true, interactive: false }, 'in-process', 'nobody'],
] as const)('%o means %s', (whereabouts, kind, why) => {
  const chosen = chooseExecutor(whereabouts)
  expect(chosen.kind).toBe(kind)
  expect(chosen.why).toContain(why)
})
