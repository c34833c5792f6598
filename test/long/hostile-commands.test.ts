import { expect, test } from 'vitest'
import { leaksOf, slowLines } from '../ui/cli/hostile/every-command.ts'

test('no command that starts other programs lets through what they wrote for a terminal', async () => {
  expect(await leaksOf(slowLines)).toEqual({})
})
