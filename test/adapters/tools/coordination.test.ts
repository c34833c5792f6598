import { describe, expect, test } from 'vitest'
import { delegate } from '../../../src/adapters/tools/team/delegate.ts'
import { runCall } from '../../../src/adapters/tools/define/run-call.ts'
import { sendMessage } from '../../../src/adapters/tools/team/send-message.ts'
import { stopWorker } from '../../../src/adapters/tools/team/stop-worker.ts'
import { teamOf } from './team-port.ts'
import { said, workshop } from './workshop.ts'

const shop = workshop()

describe('Delegate', () => {
  test('hands over every subtask in order and answers with the ids', async () => {
    const team = teamOf(['ann', 'bob'])
    const subtasks = [
      { worker: 'ann', task: 'Count.', context: 'In src.', deadline: '10m' },
      { worker: 'bob', task: 'Read.', depends_on: ['ann'], returns: { type: 'object' } },
    ]
    const output = await shop.call(delegate, { subtasks }, shop.context({ team, callId: 'c7' }))
    expect(output).toEqual({ text: 'id-1 → ann\nid-2 → bob', isError: false })
    expect(team.asked).toEqual([
      {
        ask: 'delegate',
        worker: 'ann',
        task: 'Count.',
        context: 'In src.',
        depends_on: [],
        deadlineMs: 600_000,
        callId: 'c7',
      },
      { ask: 'delegate', worker: 'bob', task: 'Read.', depends_on: ['ann'], returns: { type: 'object' }, callId: 'c7' },
    ])
  })

  test('names who did not get its piece; it is an error only when nobody did', async () => {
    const context = shop.context({ team: teamOf(['ann']) })
    const [good, bad] = [
      { worker: 'ann', task: 'Count.' },
      { worker: 'eve', task: 'Spy.' },
    ]
    const mixed = await shop.call(delegate, { subtasks: [bad, good] }, context)
    expect(mixed).toEqual({
      text: 'eve: not delegated: nobody is called eve; members: ann\nid-2 → ann',
      isError: false,
    })
    expect(await shop.call(delegate, { subtasks: [bad] }, context)).toMatchObject({ isError: true })
  })

  test('refuses an empty list and a deadline that is no duration', async () => {
    const context = shop.context({ team: teamOf(['ann']) })
    expect((await shop.call(delegate, { subtasks: [] }, context)).text).toContain('subtasks')
    const late = { subtasks: [{ worker: 'ann', task: 'Count.', deadline: 'soon' }] }
    expect((await shop.call(delegate, late, context)).text).toContain('subtasks[0].deadline')
  })
})

test('SendMessage sends, and passes on why it could not', async () => {
  const team = teamOf(['ann'])
  const context = shop.context({ team, callId: 'c8' })
  expect((await shop.call(sendMessage, { to: 'ann', text: 'Hello.' }, context)).text).toBe('Sent to ann (id-1).')
  expect(team.asked).toEqual([{ ask: 'send', to: 'ann', text: 'Hello.', question: false, callId: 'c8' }])
  expect(await shop.call(sendMessage, { to: 'eve', text: 'Hello.' }, context)).toEqual({
    text: 'Not sent: nobody is called eve; members: ann',
    isError: true,
  })
})

test('StopWorker stops with a reason, and passes on why it could not', async () => {
  const team = teamOf(['ann'])
  const context = shop.context({ team })
  expect((await shop.call(stopWorker, { worker: 'ann' }, context)).text).toBe('ann is being stopped.')
  await shop.call(stopWorker, { worker: 'ann', reason: 'wrong way', grace: '0s' }, context)
  expect(team.asked).toEqual([
    { ask: 'stop', worker: 'ann', reason: 'no longer needed', grace_ms: 10_000 },
    { ask: 'stop', worker: 'ann', reason: 'wrong way', grace_ms: 0 },
  ])
  expect(await shop.call(stopWorker, { worker: 'eve' }, context)).toMatchObject({ isError: true })
})

test('an agent that works alone has no team to talk to, whichever way it tries', async () => {
  const inputs = [
    [delegate, { subtasks: [{ worker: 'ann', task: 'Count.' }] }],
    [sendMessage, { to: 'ann', text: 'Hello.' }],
    [stopWorker, { worker: 'ann' }],
  ] as const
  for (const [tool, input] of inputs) {
    expect(await shop.call(tool, input)).toMatchObject({ isError: true })
    expect(said(await runCall(tool, input, shop.context()))).toMatchObject({
      isError: true,
      text: expect.stringContaining('works alone') as string,
    })
  }
})
