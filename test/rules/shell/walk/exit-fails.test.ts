import { expect, test } from 'vitest'
import { exitFails } from '../../../../src/rules/shell/walk/exit-fails.ts'

test.each([
  'grep exit src/a.ts',
  'rg -n TODO',
  'diff a b',
  'cmp a b',
  'test -f a',
  '[ -f a ]',
  '[[ -f a ]]',
  'git diff --exit-code',
  'git -C sub diff --exit-code -- a',
  'git grep TODO',
  'timeout 5 grep x y',
  'cat a | grep x',
  'npm run build; grep error log',
  'cd src && grep -rn x .',
  'test -f a || test -f b',
])('exit 1 of an answer is none: %s', (command) => {
  expect(exitFails(command, 1)).toBe(false)
})

test.each([
  ['grep x missing', 2],
  ['npm test', 1],
  ['npm test && grep x log', 1],
  ['grep x log && npm test', 1],
  ['grep x log | npm test', 1],
  ['set -o pipefail; npm test | grep x', 1],
  ['set -e; npm test; grep x log', 1],
  ['! grep -q TODO a', 1],
  ['(npm test)', 1],
  ['if grep x y; then npm test; fi', 1],
  ['grep "x', 1],
  ['git push', 1],
  ['', 1],
  ['false', 127],
] as const)('everything else fails: %s', (command, code) => {
  expect(exitFails(command, code)).toBe(true)
})
