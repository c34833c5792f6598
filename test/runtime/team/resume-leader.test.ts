import { expect, test } from 'vitest'
import { readRunFile } from '../../../src/adapters/sessions/read-run.ts'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { resumeLeader } from '../../../src/runtime/team/resume-leader.ts'
import { play } from '../support/stage.ts'

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
  const isNudged = (facts: number) => resumeLeader(recorded.slice(0, facts), resolved, 0).team?.nudged
  expect([stated, stated + 1, heard, heard + 1, recorded.length].map(isNudged)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ])
})

test('a result that was written is news for whoever leads the run on, until its request is settled', async () => {
  const ana = { description: 'Looks.', prompt: 'You look.' }
  const coordinator = { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } }
  const { run, recorded, result } = await play(
    { name: 'duo', coordinator, workers: { ana } },
    {
      lead: { steps: [call('Delegate', { subtasks: [{ worker: 'ana', task: 'Look.' }] }), { say: 'It came.' }] },
      ana: { steps: [{ say: 'true words' }] },
    },
  )
  await result
  const resolved = readRunFile(run.dir)?.team
  if (!resolved) throw new Error('the run has no file')
  const sent = recorded.findIndex(({ owner, entry }) => owner === 'ana' && entry.type === 'mail.sent')
  const settled = recorded.findIndex(({ entry }) => entry.type === 'request.settled')
  const unheard = (facts: number) => resumeLeader(recorded.slice(0, facts), resolved, 0).unheard
  expect(sent).toBeLessThan(settled)
  expect([unheard(sent), unheard(settled + 1)]).toEqual([[], []])
  expect(unheard(sent + 1)).toMatchObject([{ type: 'result.received', request: 'r1', status: 'done' }])
})

test('a task that was sent is an attempt, stated or not, and the failure before it is no news', async () => {
  const ana = { description: 'Looks.', prompt: 'You look.' }
  const coordinator = { prompt: 'You lead.', gather: { on_failure: { retry: 1 } } }
  const { run, recorded, result } = await play(
    { name: 'duo', coordinator, workers: { ana } },
    {
      lead: { steps: [call('Delegate', { subtasks: [{ worker: 'ana', task: 'Look.' }] }), { say: 'It failed.' }] },
      ana: { steps: [{}, {}, {}, {}] },
    },
  )
  await result
  const resolved = readRunFile(run.dir)?.team
  if (!resolved) throw new Error('the run has no file')
  const tasks = recorded.flatMap(({ entry }, index) =>
    entry.type === 'mail.sent' && entry.envelope.kind === 'task' ? [{ index, id: entry.envelope.id }] : [],
  )
  const [first, again] = tasks
  if (!first || !again) throw new Error('it was not tried again')
  const at = (facts: number) => {
    const { coordinator: left, unstated, unheard } = resumeLeader(recorded.slice(0, facts), resolved, 0)
    return { ...left?.book['r1'], unstated, unheard }
  }
  expect(at(again.index)).toMatchObject({ attempt: 1, mail_id: first.id, unstated: [], unheard: [{ request: 'r1' }] })
  const made = { attempt: 2, mail_id: again.id, past: [first.id], instead_of: null, unheard: [] }
  expect(at(again.index + 1)).toMatchObject({ ...made, unstated: ['r1'] })
  expect(recorded[again.index + 1]?.entry).toMatchObject({ type: 'request.opened', attempt: 2 })
  expect(at(again.index + 2)).toMatchObject({ ...made, unstated: [] })
})

test('a run that its budget cut short stays so, whoever leads it on, until a person opens it again', async () => {
  const steps = [call('Delegate', { subtasks: [{ worker: 'ana', task: 'Look.' }] }), { say: 'Nobody looked.' }]
  const { run, recorded, result } = await play(
    {
      name: 'duo',
      budget: { turns: 2 },
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    { lead: { steps } },
  )
  expect(await result).toMatchObject({ status: 'budget' })
  const resolved = readRunFile(run.dir)?.team
  if (!resolved) throw new Error('the run has no file')
  const spent = (facts: readonly Recorded[]) => resumeLeader(facts, resolved, 0).team?.spent
  const short = recorded.findIndex(({ entry }) => entry.type === 'budget.exhausted')
  expect([spent(recorded.slice(0, short)), spent(recorded.slice(0, short + 1)), spent(recorded)]).toEqual([
    null,
    'turns',
    'turns',
  ])
  const reopened = { type: 'team.reopened', v: 1, seq: 99, id: 'team-99', parent: null, at: 0 } as const
  expect(spent([...recorded, { owner: 'team', entry: reopened }])).toBeNull()
})
