import { describe, expect, test } from 'vitest'
import { didYouMean } from '../../../src/rules/tools/did-you-mean.ts'

const tools = ['Read', 'Write', 'Edit', 'MultiEdit', 'Grep', 'Glob', 'LS', 'Bash']

describe('didYouMean', () => {
  test.each([
    ['Grpe', 'Grep'],
    ['bash', 'Bash'],
    ['GREP', 'Grep'],
    ['Wriet', 'Write'],
    ['Raed', 'Read'],
    ['MultEditt', 'MultiEdit'],
    ['Browser', undefined],
    ['', undefined],
    ['X', undefined],
    ['LX', 'LS'],
    ['QQ', undefined],
    ['Bashful', undefined],
  ])('%s: %s', (word, meant) => {
    expect(didYouMean(word, tools)).toBe(meant)
  })

  test('a longer word may be off by 30 %', () => {
    expect(didYouMean('abcdefghij', ['abcdefgxyz'])).toBe('abcdefgxyz')
    expect(didYouMean('abcdefghij', ['abcdefwxyz'])).toBeUndefined()
  })

  test('the nearest wins, the first of equals, and there may be none', () => {
    expect(didYouMean('red', ['reads', 'read', 'rid'])).toBe('read')
    expect(didYouMean('red', ['rod', 'rid'])).toBe('rod')
    expect(didYouMean('red', [])).toBeUndefined()
  })
})
