import { expect, test } from 'vitest'
import { dialogTerminal } from '../../approvers/dialog-terminal.ts'
import { askUser } from '../../../../src/adapters/tools/team/ask-user.ts'
import type { ToolContext } from '../../../../src/protocol/tools/tool.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const question = { question: 'Red or\u001b[2J blue?', options: ['red', 'blue'] }

/** A member whose person sits at a terminal. */
function terminal() {
  const { approver, input, prompted, printed, type } = dialogTerminal({ describe: () => '' })
  const ask: ToolContext['ask'] = async (asked, signal) =>
    (await approver.ask?.({ ...asked, member: 'writer' }, signal)) ?? null
  return { input, prompted, printed, type, context: shop.context({ ask }) }
}

test('the person is asked with numbered answers, and a number stands for its answer', async () => {
  const { prompted, printed, type, context } = terminal()
  const asked = shop.call(askUser, question, context)
  expect(await prompted()).toEqual(['writer asks: a number, or your own answer', '> ▏'])
  expect(printed).toEqual(['writer asks: Red or [2J blue?\n  1. red\n  2. blue'])
  await type('2\r')
  expect(await asked).toEqual({ text: 'The person answers: blue', isError: false })
})

test('own words are an answer too', async () => {
  const { type, context } = terminal()
  const asked = shop.call(askUser, question, context)
  await type('neither, green\r')
  expect((await asked).text).toBe('The person answers: neither, green')
})

test('where nobody is, the member is told to decide', async () => {
  const { input, context } = terminal()
  input.end()
  for (const nobody of [context, shop.context()]) {
    expect(await shop.call(askUser, question, nobody)).toMatchObject({
      isError: true,
      text: expect.stringContaining('Decide yourself') as string,
    })
  }
})
