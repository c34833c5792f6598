import { expect, test } from 'vitest'
import { mayBegin } from '../../../src/rules/shell/unsure-words.ts'
import { bashCommands } from '../../../src/rules/shell/walk/bash-commands.ts'

test.each([
  ['git $(cat x) origin', true],
  ['git "$(cat x)" origin', true],
  ['git -C sub "$(cat x)" origin', true],
  ['env git $(cat x)', true],
  ['git "${a[@]}"', true],
  ['git pus? origin', true],
  ['git PU*', true],
  // What the environment holds, no line chose.
  ['git "$x" origin', false],
  ['git push "$(cat x)"', false],
  ['git log "$(cat x)"', false],
  ['git -C "$(cat x)" log', false],
  ['git pul*', false],
  ['git --no-pager "$(cat x)" origin', true],
  ['git -c "$(cat x)" -C sub "$(cat y)"', true],
  ['git -C $(cat x) log', true],
  ['gti $(cat x)', false],
  // A pattern of many stars is compared at once.
  [`git ${'*'.repeat(60)}x`, false],
])('%s may begin with git push: %s', (line, expected) => {
  const [command] = bashCommands(line).commands
  expect(command && mayBegin(command, ['git', 'push'])).toBe(expected)
})
