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

const questions = [
  {
    question: 'Which colours?',
    header: 'Colour',
    options: ['red', { label: 'blue', description: 'calm' }],
    multiSelect: true,
  },
  { question: 'How many?' },
  { question: 'Now?', options: ['yes', 'no'] },
]

test('several questions are asked one after another, and their answers come back together', async () => {
  const { prompted, printed, type, context } = terminal()
  const asked = shop.call(askUser, { questions }, context)
  expect(await prompted()).toEqual(['writer asks: one or more numbers (1, 2), or your own answer', '> ▏'])
  for (const keys of ['2, 1\r', 'three\r', '1\r']) await type(keys)
  expect(printed.filter((text) => text.startsWith('writer'))).toEqual([
    'writer asks: (1 of 3 · Colour)\n  Which colours?\n  1. red\n  2. blue: calm\n  (more than one may be chosen: 1, 2)',
    'writer asks: (2 of 3)\n  How many?',
    'writer asks: (3 of 3)\n  Now?\n  1. yes\n  2. no',
  ])
  expect(await asked).toEqual({ text: 'The person answers: \n1. blue, red\n2. three\n3. yes', isError: false })
})

test('who leaves in between has answered what was answered', async () => {
  const { type, input, context } = terminal()
  const asked = shop.call(askUser, { questions }, context)
  await type('1\r')
  input.end()
  expect(await asked).toMatchObject({
    isError: false,
    text: expect.stringMatching(/1\. red\n2\. \(nobody answered/) as string,
  })
})

test('a call is one question or several', async () => {
  const { context } = terminal()
  for (const mixed of [{}, { question: 'Red?', questions }, { questions, options: ['red'] }])
    expect(await askUser.check(mixed, context)).toMatch(/^(Give either|options and multiSelect)/)
  for (const well of [question, { questions }]) expect(await askUser.check(well, context)).toBeNull()
})
