import { expect, test } from 'vitest'
import { readRunFile } from '../../src/adapters/sessions/read-run.ts'
import { takeOver } from '../../src/runtime/take-over.ts'
import { play } from './support/stage.ts'

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

test('a lead counts as told what is still open only when it heard of it', async () => {
  const worker = { description: 'Works.', prompt: 'You work.' }
  const team = { name: 'duet', tasks: {}, coordinator: { prompt: 'You lead.' }, workers: { ana: worker } }
  const steps = [
    call('TaskCreate', { subject: 'First' }),
    { say: 'That is all.' },
    { ...call('TaskClaim', { id: 1 }), expect: 'still open' },
    call('TaskDone', { id: 1 }),
    { say: 'Now it is.' },
  ]
  const { run, recorded, result } = await play(team, { lead: { steps } })
  expect(await result).toMatchObject({ status: 'completed', result: 'Now it is.' })
  const resolved = readRunFile(run.dir)?.team
  if (!resolved) throw new Error('the run has no file')
  const stated = recorded.findIndex(({ entry }) => entry.type === 'lead.nudged')
  const heard = recorded.findIndex(({ entry }, index) => index > stated && entry.type === 'message.appended')
  const isNudged = (facts: number) => takeOver(recorded.slice(0, facts), resolved, 0).team?.nudged
  expect([stated, stated + 1, heard, heard + 1, recorded.length].map(isNudged)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})
