import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import type { Fact } from '../../src/protocol/facts/fact.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { factsOf, play } from './support/stage.ts'

const board = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']
const duo = {
  name: 'duo',
  tasks: {},
  coordinator: { prompt: 'You lead.' },
  workers: {
    ana: { description: 'Works.', prompt: 'You work.', tools: [...board, 'Write', 'Bash'] },
    bo: { description: 'Works too.', prompt: 'You work.', tools: board },
  },
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const delegate = (...workers: readonly string[]) =>
  call('Delegate', { subtasks: workers.map((worker) => ({ worker, task: 'Work on the board.' })) })

/** What the tools of a member answered, in order. */
function answers(recorded: readonly Recorded[], member: string): readonly string[] {
  return recorded.flatMap(({ owner, entry }) =>
    owner === member && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map((result) => textOf(result))
      : [],
  )
}

function taskFacts(recorded: readonly Recorded[]): readonly string[] {
  return recorded.flatMap(({ owner, entry }) =>
    owner === 'team' && entry.type.startsWith('task.') ? [entry.type satisfies Fact['type'] | 'journal.opened'] : [],
  )
}

test('a task goes from the board to one member and is done; what waited for it opens by itself', async () => {
  const { run, recorded, result } = await play(duo, {
    lead: {
      steps: [
        call('TaskCreate', { subject: 'First' }),
        call('TaskCreate', { subject: 'Second', description: 'After the first.', blocked_by: [1] }),
        delegate('ana'),
        { say: 'Both are done.' },
      ],
    },
    ana: {
      steps: [
        call('TaskClaim', { id: 2 }),
        call('TaskClaim', { id: 1 }),
        call('TaskDone', { id: 1 }),
        call('TaskClaim', { id: 2 }),
        call('TaskDone', { id: 2 }),
        call('TaskList', {}),
        { say: 'done' },
      ],
    },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Both are done.' })
  expect(factsOf(recorded, 'team')).not.toContain('warning.raised')
  expect(answers(recorded, 'lead').slice(0, 2)).toEqual([
    'Task 1 is on the board.',
    'Task 2 is on the board and waits for others.',
  ])
  expect(answers(recorded, 'ana')).toEqual([
    'Task 2: it waits for task 1.',
    'Task 1 is yours.',
    'Task 1 is done.',
    'Task 2 is yours.',
    'Task 2 is done.',
    '1 done by ana: First\n2 done by ana: Second',
  ])
  expect(taskFacts(recorded)).toEqual([
    'task.created',
    'task.created',
    'task.refused',
    'task.claimed',
    'task.finished',
    'task.opened',
    'task.claimed',
    'task.finished',
  ])
  expect(readdirSync(join(run.dir, 'tasks')).toSorted()).toEqual(['1.json', '2.json'])
  expect(JSON.parse(readFileSync(join(run.dir, 'tasks', '2.json'), 'utf8'))).toMatchObject({
    task: 2,
    subject: 'Second',
    state: 'done',
    by: 'ana',
    blocked_by: [1],
  })
  expect(recorded.filter(({ entry }) => entry.type === 'event.dropped')).toEqual([])
})

test('of two who claim at once one gets it, and the other learns who', async () => {
  const claim = { steps: [call('TaskClaim', { id: 1 }), { say: 'tried' }] }
  const { recorded, result } = await play(duo, {
    lead: {
      steps: [
        call('TaskCreate', { subject: 'Only one' }),
        delegate('ana', 'bo'),
        call('TaskDone', { id: 1, outcome: 'cancelled', reason: 'enough' }),
        { say: 'over' },
      ],
    },
    ana: claim,
    bo: claim,
  })
  await result
  const said = [...answers(recorded, 'ana'), ...answers(recorded, 'bo')]
  expect(said.toSorted()).toEqual([
    expect.stringMatching(/^Task 1 is yours\.$|^Task 1: (ana|bo) holds it\.$/),
    expect.anything(),
  ])
  expect(said.filter((text) => text === 'Task 1 is yours.')).toHaveLength(1)
})

test('of twenty who claim the same twenty tasks each task has one winner', async () => {
  const names = Array.from({ length: 20 }, (_, n) => `hand-${n + 1}`)
  const ids = Array.from({ length: 20 }, (_, n) => n + 1)
  const claims = { steps: [{ calls: ids.map((id) => ({ tool: 'TaskClaim', input: { id } })) }, { say: 'tried' }] }
  const { recorded, result } = await play(
    {
      ...duo,
      partition: 'relaxed',
      workers: { hand: { description: 'Claims.', prompt: 'You claim.', tools: ['TaskClaim'], replicas: 20 } },
    },
    {
      lead: {
        steps: [
          { calls: ids.map((id) => ({ tool: 'TaskCreate', input: { subject: `Only one, ${id}` } })) },
          delegate(...names),
          {
            calls: ids.map((id) => ({ tool: 'TaskDone', input: { id, outcome: 'cancelled', reason: 'counted' } })),
          },
          { say: 'over' },
        ],
      },
      ...Object.fromEntries(names.map((name) => [name, claims])),
    },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'over' })
  const said = names.flatMap((name) => answers(recorded, name))
  expect(said).toHaveLength(400)
  const won = said.filter((text) => text.endsWith(' is yours.'))
  expect(won.toSorted()).toEqual(ids.map((id) => `Task ${id} is yours.`).toSorted())
  const winners = new Map(
    recorded.flatMap(({ entry }) => (entry.type === 'task.claimed' ? [[entry.task, entry.by] as const] : [])),
  )
  const lost = said.filter((text) => !text.endsWith(' is yours.'))
  expect(
    lost.filter(
      (text) => text !== `Task ${/\d+/.exec(text)?.[0]}: ${winners.get(Number(/\d+/.exec(text)?.[0]))} holds it.`,
    ),
  ).toEqual([])
})

test('evidence is checked against the journal, the file and the rules', async () => {
  const content = 'made'
  const sha256 = createHash('sha256').update(content).digest('hex')
  const done = (evidence: object) => call('TaskDone', { id: 1, evidence: [evidence] })
  const { recorded, result } = await play(
    {
      ...duo,
      tasks: { evidence: ['command', 'file', 'check'], checks: { there: 'test -e made.txt', gone: 'npm publish' } },
      permissions: { mode: 'acceptEdits' },
    },
    {
      lead: { steps: [call('TaskCreate', { subject: 'Make it' }), delegate('ana'), { say: 'made' }] },
      ana: {
        steps: [
          call('TaskClaim', { id: 1 }),
          call('TaskDone', { id: 1 }),
          done({ command: 'test -e made.txt', exit_code: 0 }),
          call('Bash', { command: 'test -e made.txt' }),
          done({ command: 'test -e made.txt', exit_code: 0 }),
          done({ file: 'made.txt', sha256 }),
          done({ check: 'there' }),
          done({ check: 'gone' }),
          call('Write', { file_path: 'made.txt', content }),
          done({ file: 'made.txt', sha256: '0'.repeat(64) }),
          call('TaskDone', { id: 1, evidence: [{ file: 'made.txt', sha256 }, { check: 'there' }] }),
          { say: 'made' },
        ],
      },
    },
    { trusted: true },
  )
  expect(await result).toMatchObject({ status: 'completed' })
  const said = answers(recorded, 'ana')
  expect(said[1]).toContain('This board wants evidence of what is done')
  expect(said[2]).toContain('has not run `test -e made.txt` to a good end since the task was claimed')
  expect(said[4]).toContain('has not run `test -e made.txt` to a good end')
  expect(said[5]).toContain('made.txt cannot be read')
  expect(said[6]).toContain('the check "there" did not pass: [exit 1]')
  expect(said[7]).toContain('the check "gone" may not run')
  expect(said[9]).toContain(`made.txt has the SHA-256 ${sha256}.`)
  expect(said[10]).toBe('Task 1 is done.')
})

test('who did the work does not review it', async () => {
  const { recorded, result } = await play(
    { ...duo, tasks: { review: true } },
    {
      lead: {
        steps: [call('TaskCreate', { subject: 'Careful' }), delegate('ana'), delegate('bo'), { say: 'checked' }],
      },
      ana: {
        steps: [
          call('TaskClaim', { id: 1 }),
          call('TaskDone', { id: 1 }),
          call('TaskDone', { id: 1 }),
          { say: 'I did' },
        ],
      },
      bo: { steps: [call('TaskDone', { id: 1 }), { say: 'I looked' }] },
    },
  )
  await result
  expect(answers(recorded, 'ana').slice(1)).toEqual([
    'Task 1 waits for another member to confirm it.',
    'Task 1: ana did it; it waits for another member to confirm it.',
  ])
})

test('a run does not end over an open task: its lead is woken with the list', async () => {
  const { recorded, result } = await play(duo, {
    lead: {
      steps: [
        call('TaskCreate', { subject: 'Forgotten' }),
        { say: 'I think we are done.' },
        call('TaskDone', { id: 1, outcome: 'cancelled', reason: 'not needed' }),
        { say: 'Now we are.' },
      ],
    },
  })
  expect(await result).toMatchObject({ status: 'completed', result: 'Now we are.' })
  expect(recorded.find(({ entry }) => entry.type === 'lead.nudged')?.entry).toMatchObject({ open: ['task 1'] })
})

test('a worker in a process of its own uses the board like one in this process', async () => {
  const { recorded, result } = await play(
    { ...duo, workers: { ana: { ...duo.workers.ana, executor: 'process' } } },
    {
      lead: { steps: [call('TaskCreate', { subject: 'Far away' }), delegate('ana'), { say: 'done elsewhere' }] },
      ana: {
        steps: [
          call('TaskList', {}),
          call('TaskClaim', { id: 2 }),
          call('TaskClaim', { id: 1 }),
          call('TaskDone', { id: 1 }),
          { say: 'done' },
        ],
      },
    },
  )
  expect(await result).toMatchObject({ status: 'completed', result: 'done elsewhere' })
  expect(answers(recorded, 'ana')).toEqual([
    '1 open: Far away',
    'There is no task 2.',
    'Task 1 is yours.',
    'Task 1 is done.',
  ])
})

test('what models write instead of a number and of evidence is read, and words are no evidence', async () => {
  const sha256 = createHash('sha256').update('made').digest('hex')
  const told = { evidence: JSON.stringify([{ file: 'made.txt', sha256 }]) }
  const { recorded, result } = await play(
    { ...duo, tasks: {}, permissions: { mode: 'acceptEdits' } },
    {
      lead: {
        steps: [
          call('TaskCreate', { subject: 'First' }),
          call('TaskCreate', { subject: 'Second', blocked_by: ['1'] }),
          delegate('ana'),
          { say: 'both' },
        ],
      },
      ana: {
        steps: [
          call('TaskClaim', { id: '1' }),
          call('TaskDone', { id: '1', evidence: 'I looked at it and it is good.' }),
          call('TaskClaim', { id: '2' }),
          call('Write', { file_path: 'made.txt', content: 'made' }),
          call('TaskDone', { id: 2, ...told }),
          { say: 'made' },
        ],
      },
    },
    { trusted: true },
  )
  expect(await result).toMatchObject({ status: 'completed' })
  expect(answers(recorded, 'lead')[1]).toBe('Task 2 is on the board and waits for others.')
  const said = answers(recorded, 'ana')
  expect(said[1]).toBe('Task 1 is done. What you wrote of it was not checked: words are no evidence.')
  expect(said[4]).toBe('Task 2 is done.')
  const finished = recorded.flatMap(({ entry }) => (entry.type === 'task.finished' ? [entry.evidence ?? []] : []))
  expect(finished).toEqual([[], [{ file: 'made.txt', sha256 }]])
})
