import { describe, expect, test } from 'vitest'
import { readsGit } from '../../../../src/rules/shell/git/git-reads.ts'

describe('git only reads', () => {
  test.each([
    'log --oneline -3',
    '--no-pager diff HEAD~1',
    '-C sub status',
    'branch --list x',
    'stash list',
    'grep -n x',
  ])('%s', (line) => expect(readsGit(line.split(' '))).toBe(true))
})

describe('git may write, or start a program', () => {
  test.each([
    'log --outp=x',
    'diff --ext-d',
    'grep -1O./x y',
    'grep --open=x y',
    'branch x',
    'reflog expire',
    'stash',
    'diff --no-ind a b',
  ])('%s', (line) => expect(readsGit(line.split(' '))).toBe(false))
})
