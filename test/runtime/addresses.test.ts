import { expect, test } from 'vitest'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { play } from './support/stage.ts'

test('a member writes to another as mail names it, and is told whom it can reach', async () => {
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
  }
  const calls = ['ana@other', 'ana@duo'].map((to) => ({ tool: 'SendMessage', input: { to, text: 'Look.' } }))
  const script = { lead: { steps: [{ calls }, { say: 'Sent.' }] }, ana: { steps: [{ say: 'Looked.' }] } }
  const { result, recorded } = await play(team, script)
  expect(await result).toMatchObject({ status: 'completed', result: 'Sent.' })
  const told = recorded.flatMap(({ entry }) =>
    entry.type === 'message.appended' && entry.message.role === 'tool' ? entry.message.results.map(textOf) : [],
  )
  expect(told).toEqual([
    'Not sent: "ana@other" is not in this team: mail reaches members of duo only: lead, ana.',
    expect.stringMatching(/^Sent to ana@duo /),
  ])
})
