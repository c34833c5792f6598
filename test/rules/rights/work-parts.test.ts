import { expect, test } from 'vitest'
import { permissionModes } from '../../../src/protocol/permissions/permission.ts'
import { partRefusal, withinAsker } from '../../../src/rules/rights/work-parts.ts'

const limits = { depth: 5, requests: 9, sent: 0 }

test.each([
  ['worktree', 'worktree', null],
  ['worktree', 'none', expect.stringMatching(/^bo has no working tree of its own/) as string],
  ['none', 'worktree', null],
  ['none', 'none', null],
] as const)('isolation %s hands on to isolation %s: %s', (mine, theirs, refused) => {
  const card = { name: 'ana', tools: [], permissions: {}, isolation: mine }
  const refusal = partRefusal({ card, chain: [] }, { name: 'bo', isolation: theirs }, limits)
  expect(refusal).toEqual(refused)
})

test.each(permissionModes)('a part of an asker in %s mode is done in no wider one', (mode) => {
  const card = { tools: ['Read'], permissions: {} }
  expect(withinAsker(card, card, { of: 'ana@duo', mode })).toEqual({ of: 'ana@duo', mode })
})
