import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { terminalApprover } from '../../../../src/adapters/approvers/terminal.ts'
import { askUser } from '../../../../src/adapters/tools/team/ask-user.ts'
import type { ToolContext } from '../../../../src/protocol/tools/tool.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const question = { question: 'Red or\u001b[2J blue?', options: ['red', 'blue'] }

/** A member whose person sits at a terminal. */
function terminal() {
  const input = new PassThrough()
  const output = new PassThrough()
  const still = (): void => undefined
  const approver = terminalApprover({ input, output, describe: () => '', pause: still, resume: still, graceMs: 0 })
  const ask: ToolContext['ask'] = async (asked, signal) =>
    (await approver.ask?.({ ...asked, member: 'writer' }, signal)) ?? null
  return { input, output, context: shop.context({ ask }) }
}

test('the person is asked with numbered answers, and a number stands for its answer', async () => {
  const { input, output, context } = terminal()
  const asked = shop.call(askUser, question, context)
  const shown = await new Promise<string>((resolve) =>
    output.once('data', (chunk: Buffer) => resolve(chunk.toString())),
  )
  expect(shown).toBe('writer asks: Red or [2J blue?\n  1. red\n  2. blue\nA number, or your own answer: ')
  input.write('2\n')
  expect(await asked).toEqual({ text: 'The person answers: blue', isError: false })
})

test('own words are an answer too', async () => {
  const { input, output, context } = terminal()
  const asked = shop.call(askUser, question, context)
  await new Promise((resolve) => output.once('data', resolve))
  input.write('neither, green\n')
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
