import { expect, test } from 'vitest'
import { promptName, promptHint, promptInput } from '../../../src/rules/mcp/prompt-command.ts'

const two = {
  arguments: [
    { name: 'commit', required: true },
    { name: 'why', required: false },
  ],
}

test('the words behind a prompt are its arguments, the last one takes the rest', () => {
  expect(promptInput(two, 'HEAD~3')).toEqual({ input: { commit: 'HEAD~3' } })
  expect(promptInput(two, '"a b" c')).toEqual({ input: { commit: 'a b', why: 'c' } })
  expect(promptInput(two, 'HEAD it is "so" long')).toEqual({ input: { commit: 'HEAD', why: 'it is "so" long' } })
  expect(promptInput(two, '')).toEqual({ trouble: 'it wants commit: <commit> [why]' })
  expect(promptInput({ arguments: [] }, 'words')).toEqual({ input: {} })
})

test('a name holds nothing that ends a command', () => {
  expect(promptName('git', 'review a/b')).toBe('mcp__git__review_a_b')
  expect(promptHint({ arguments: [] })).toBeUndefined()
})
