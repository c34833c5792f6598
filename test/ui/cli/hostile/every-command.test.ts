import { expect, test } from 'vitest'
import { commandLines, leaksOf } from './every-command.ts'
import { everyOrder, leaksIn, terminalOrders } from './terminal-orders.ts'

test('no command lets through what others wrote for a terminal', async () => {
  expect(await leaksOf(commandLines)).toEqual({})
})

test('the look for leaks finds each of them', () => {
  const harmless = Object.entries(terminalOrders).filter(([, text]) => leaksIn(text).length === 0)
  expect(harmless.map(([name]) => name)).toEqual(['lone surrogates'])
  expect(leaksIn(everyOrder)).not.toEqual([])
})
