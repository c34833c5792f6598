import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { callsOf } from '../../../src/protocol/conversation/message.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { conversationOf } from '../../../src/rules/conversation/context-window.ts'
import { factsOf, play } from '../support/stage.ts'

const duo = {
  name: 'duo',
  coordinator: { prompt: 'You lead.' },
  workers: {
    ana: { description: 'Looks.', prompt: 'You look.', tools: ['LS', 'TodoWrite'] },
    bo: { description: 'Looks too.', prompt: 'You look.', tools: ['LS'] },
  },
}

const delegation = (...subtasks: readonly (readonly [worker: string, task: string])[]) => ({
  calls: [{ tool: 'Delegate', input: { subtasks: subtasks.map(([worker, task]) => ({ worker, task })) } }],
})

const look = { calls: [{ tool: 'LS', input: { path: '.' } }] }

test('a coordinator delegates, parks, and answers once from what its workers found', async () => {
  const { recorded, result } = await play(duo, {
    lead: {
      steps: [delegation(['ana', 'Look here.'], ['bo', 'Look there.']), { say: 'ana: {{mail.ana}}, bo: {{mail.bo}}' }],
    },
    ana: { steps: [look, { say: 'one folder' }] },
    bo: { steps: [look, { say: 'the same' }] },
  })
  expect(await result).toMatchObject({
    status: 'completed',
    reason: 'completed',
    result: 'ana: one folder, bo: the same',
    members: [
      { id: 'lead@duo', status: 'gone', turns: 2, reason: 'completed' },
      { id: 'ana@duo', status: 'gone', turns: 2, reason: 'completed' },
      { id: 'bo@duo', status: 'gone', turns: 2, reason: 'completed' },
    ],
  })
  expect(recorded.filter(({ entry }) => entry.type === 'event.dropped')).toEqual([])
  expect(factsOf(recorded, 'ana')).toEqual(workerStory)
  expect(factsOf(recorded, 'lead').filter((type) => type === 'model.requested')).toHaveLength(2)
  expect(factsOf(recorded, 'team').at(-1)).toBe('team.ended')
})

/** What a worker's journal tells of one task with one tool call, in this order. */
const workerStory = [
  'member.started',
  'member.woke',
  'agent.started',
  'mail.received',
  'model.requested',
  'message.appended',
  'model.settled',
  'permission.decided',
  'call.started',
  'call.finished',
  'message.appended',
  'turn.continued',
  'model.requested',
  'message.appended',
  'model.settled',
  'agent.ended',
  'mail.sent',
  'member.replied',
  'member.idled',
  'member.drained',
  'member.gone',
]

test('the journals hold what was heard, and every mail ends in done', async () => {
  const { run, recorded, result } = await play(duo, {
    lead: { steps: [delegation(['ana', 'Look.']), { say: 'Answered.' }] },
    ana: { steps: [{ say: 'Looked.' }] },
  })
  await result
  for (const owner of ['team', 'lead', 'ana']) {
    const { entries, problems } = readJournal(join(run.dir, 'journal', `${owner}.jsonl`))
    expect(problems).toEqual([])
    const heard = recorded.filter((fact) => fact.owner === owner).map(({ entry }) => entry)
    expect(entries.slice(1)).toEqual(heard)
  }
  for (const member of ['lead', 'ana']) {
    const box = join(run.dir, 'mail', member)
    expect(readdirSync(join(box, 'new'))).toEqual([])
    expect(readdirSync(join(box, 'done'))).toHaveLength(1)
  }
})

test('a failing worker is asked again, then named in the synthesis', async () => {
  const { recorded, result } = await play(duo, {
    lead: {
      steps: [
        delegation(['ana', 'Look.'], ['bo', 'Look.']),
        { expect: ['ana (r1): failed'], say: 'Only bo: {{mail.bo}}' },
      ],
    },
    ana: { steps: [{ fail: 'server_error' }] },
    bo: { steps: [{ say: 'seen' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Only bo: seen' })
  const opened = recorded.flatMap(({ entry }) =>
    entry.type === 'request.opened' ? [[entry.request, entry.attempt]] : [],
  )
  expect(opened).toEqual([
    ['r1', 1],
    ['r2', 1],
    ['r1', 2],
  ])
})

test('when every worker failed the run fails', async () => {
  const { result } = await play(
    { ...duo, coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } } },
    { lead: { steps: [delegation(['ana', 'Look.'])] }, ana: { steps: [{ fail: 'server_error' }] } },
  )
  const ended = await result
  expect(ended).toMatchObject({ status: 'failed', result: null })
  expect(ended.reason).toMatch(/^request_failed: ana \(r1\): failed: .*server_error/)
})

test('a lead that fails fails the run, with the reason', async () => {
  const { result } = await play(duo, { lead: { steps: [{ fail: 'unauthorized' }] } })
  const { status, reason } = await result
  expect(status).toBe('failed')
  expect(reason).toMatch(/^unauthorized: /)
})

test('the last turn of a run is kept for what its coordinator makes of the rest', async () => {
  const { recorded, result } = await play(
    { ...duo, budget: { turns: 3 } },
    {
      lead: { steps: [delegation(['ana', 'Look.']), { say: 'Ana did not get to the end.' }] },
      ana: { steps: [look, { say: 'Never said.' }] },
    },
  )
  expect(await result).toMatchObject({ status: 'budget', reason: 'turns', result: 'Ana did not get to the end.' })
  expect(recorded.filter(({ entry }) => entry.type === 'model.settled' && entry.stop !== 'error')).toHaveLength(3)
  for (const owner of ['lead', 'ana']) expectAnswered(recorded, owner)
})

test('a run that is through with its last turn has completed', async () => {
  const { result } = await play(
    { ...duo, budget: { turns: 4 } },
    {
      lead: { steps: [delegation(['ana', 'Look.']), { say: 'All is there.' }] },
      ana: { steps: [look, { say: 'Looked.' }] },
    },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'All is there.' })
})

test('a script with steps that nobody asked for is no success', async () => {
  const { result } = await play(duo, { lead: { steps: [{ say: 'Done.' }, { say: 'Never said.' }] } })
  expect(await result).toMatchObject({ status: 'failed', result: 'Done.' })
})

test('a run that is aborted as it begins ends, and so does the lead that was being started', async () => {
  const { run, recorded, result } = await play(duo, { lead: { steps: [{ say: 'Never said.' }] } })
  run.abort()
  expect(await result).toMatchObject({ status: 'aborted' })
  expect(factsOf(recorded, 'lead')).toEqual(['member.started', 'member.drained', 'member.gone'])
})

test('an aborted run answers every open call in every journal', async () => {
  const { run, recorded, result } = await play(
    { ...duo, workers: { ana: { ...duo.workers.ana, tools: ['Bash'] } } },
    {
      lead: { steps: [delegation(['ana', 'Wait.'])] },
      ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'sleep 600' } }] }] },
    },
    { mode: 'bypassPermissions', allowBypass: true },
  )
  run.subscribe(({ owner, entry }) => {
    if (owner === 'ana' && entry.type === 'call.started') run.abort()
  })
  expect(await result).toMatchObject({ status: 'aborted' })
  for (const owner of ['lead', 'ana']) expectAnswered(recorded, owner)
  const ended = recorded.flatMap(({ owner, entry }) => (owner === 'ana' && entry.type === 'agent.ended' ? [entry] : []))
  expect(ended).toMatchObject([{ reason: 'aborted_tools' }])
})

function expectAnswered(recorded: readonly Recorded[], owner: string): void {
  const { messages } = conversationOf(recorded.filter((fact) => fact.owner === owner).map(({ entry }) => entry))
  messages.forEach((message, index) => {
    if (message.role !== 'assistant' || callsOf(message).length === 0) return
    const next = messages[index + 1]
    const answered = next?.role === 'tool' ? next.results.map((result) => result.call_id) : []
    expect(answered).toEqual(callsOf(message).map((call) => call.id))
  })
}

test('what nobody can allow is denied with the rule that would allow it, and the run goes on', async () => {
  const { recorded, result } = await play(
    { ...duo, workers: { ana: { ...duo.workers.ana, tools: ['Bash'] } } },
    {
      lead: { steps: [delegation(['ana', 'Try.']), { say: '{{mail.ana}}' }] },
      ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'touch made' } }] }, { say: 'Not allowed.' }] },
    },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'Not allowed.' })
  const decided = factsAbout(recorded, 'permission.decided').filter(({ tool }) => tool === 'Bash')
  expect(decided).toMatchObject([{ decision: { behavior: 'deny', source: 'nobody' } }])
  expect(decided[0]?.decision.reason).toContain('Bash(touch made)')
})

test('a rule of the command line allows it', async () => {
  const { cwd, result } = await play(
    { ...duo, workers: { ana: { ...duo.workers.ana, tools: ['Bash'] } } },
    {
      lead: { steps: [delegation(['ana', 'Try.']), { say: '{{mail.ana}}' }] },
      ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'touch made' } }] }, { say: 'Made.' }] },
    },
    { rules: { allow: ['Bash(touch *)'] } },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'Made.' })
  expect(readdirSync(cwd)).toContain('made')
})

test('members write to each other, and a quiet lead is woken by mail', async () => {
  const send = (to: string, text: string) => ({ calls: [{ tool: 'SendMessage', input: { to, text } }] })
  const { result } = await play(duo, {
    lead: { steps: [send('ana', 'Ask bo.'), { say: 'Waiting.' }, { expect: 'bo says hello', say: 'Heard of bo.' }] },
    ana: { steps: [send('bo', 'Tell lead.'), { say: 'Asked.' }] },
    bo: { steps: [send('lead', 'bo says hello'), { say: 'Told.' }] },
  })
  expect(await result).toMatchObject({ status: 'completed', result: '[1 of 2]\nWaiting.\n\n[2 of 2]\nHeard of bo.' })
})

test('facts() gives every fact in order and ends with the run', async () => {
  const { run, recorded } = await play(duo, { lead: { steps: [{ say: 'Nothing to do.' }] } })
  const seen: Recorded[] = []
  for await (const fact of run.facts()) seen.push(fact)
  expect(seen).toEqual(recorded)
  expect(seen.at(-1)?.entry.type).toBe('team.ended')
})

function factsAbout<Type extends Fact['type']>(recorded: readonly Recorded[], type: Type) {
  return recorded.flatMap(({ entry }) =>
    entry.type === type ? [entry as Extract<Recorded['entry'], { type: Type }>] : [],
  )
}
